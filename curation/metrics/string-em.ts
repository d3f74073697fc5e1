import { defineMetric } from "../../core/metric.ts";
import { scored } from "../../core/verdict.ts";

/**
 * String match: 1 when both statements are the same text, white space around them aside, else 0. Nothing
 * inside is normalised: the case of a keyword, a second space or a semicolon makes a difference. A floor for
 * other metrics, and a measure of copied golds.
 */
export default defineMetric({
  id: "string-em",
  version: 1,
  needs: { rows: false },
  deviations: [],
  judge({ goldSql, predictedSql }) {
    return scored(goldSql.trim() === predictedSql.trim() ? 1 : 0);
  },
});
