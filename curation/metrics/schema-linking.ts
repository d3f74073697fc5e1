import { defineMetric } from "../../core/metric.ts";
import { scored, unscored } from "../../core/verdict.ts";
import { schemaLinks } from "../../io/schema-links.ts";
import { linkingScores } from "../linking-scores.ts";

/**
 * How far the prediction reads the tables and columns that gold reads: the F1 of its schema links against gold's,
 * tables and columns being items alike, so 1 when they are the same. Nothing is run. A prediction that the schema does
 * not take scores 0; a gold that it does not take leaves its answers unscored, `gold_error`.
 *
 * @paper DualSQL, linking F1; SQL-Trail section 3 has the Jaccard index of schema items in its place
 */
export default defineMetric({
  id: "schema-linking",
  version: 1,
  needs: { rows: false },
  deviations: ["the papers do not print how the items of a query are found: here SQLite resolves its names"],
  judge({ goldSql, predictedSql, schema }) {
    const gold = schemaLinks(goldSql, schema);
    if (!gold.ok) return unscored("gold_error", gold.message);
    const predicted = schemaLinks(predictedSql, schema);
    return scored(predicted.ok ? linkingScores(gold, predicted).f1 : 0);
  },
});
