import { defineMetric } from "../../core/metric.ts";
import { scored } from "../../core/verdict.ts";
import { haveSameRowSets } from "../row-sets.ts";

/**
 * BIRD's execution accuracy: 1 when both results are the same set of rows, else 0. Rows are tuples: the
 * order of columns counts, their names, duplicates and the order of rows do not. Cells are equal as in
 * Python: 1 and 1.0 are, with no tolerance, text by its characters. Invalid UTF-8 on either side is an error
 * there, so 0.
 */
export default defineMetric({
  id: "bird-ex",
  version: 1,
  needs: { rows: true },
  deviations: [
    "statements run read-only: a prediction that writes scores 0",
    "a gold that fails leaves its answers unscored instead of wrong, but for gradus score, which gives the official 0",
    "time is limited per statement by CPU, not by the clock for both",
  ],
  officialWhenGoldFails: 0,
  judge: ({ gold, predicted }) => scored(haveSameRowSets(gold, predicted) ? 1 : 0),
});
