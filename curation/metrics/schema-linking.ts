import { defineMetric } from "../../core/metric.ts";
import { scoredWith, unscored } from "../../core/verdict.ts";
import { schemaLinks } from "../../io/schema-links.ts";
import { linkingScores } from "../linking-scores.ts";

/**
 * How far the prediction reads the tables and columns that gold reads: the F1 of its schema links against gold's,
 * tables and columns being items alike, so 1 when they are the same. Nothing is run. A prediction that the schema does
 * not take scores 0; a gold that it does not take leaves its answers unscored, `gold_error`. The details are
 * `precision`, `recall`, and `complete`: 1 where every item of gold is read.
 *
 * @paper DualSQL, linking F1; SQL-Trail section 3 has the Jaccard index of schema items in its place
 */
export default defineMetric({
  id: "schema-linking",
  version: 2,
  needs: { rows: false },
  deviations: ["the papers do not print how the items of a query are found: here SQLite resolves its names"],
  judge({ goldSql, predictedSql, schema }) {
    const gold = schemaLinks(goldSql, schema);
    if (!gold.ok) return unscored("gold_error", gold.message);
    const predicted = schemaLinks(predictedSql, schema);
    if (!predicted.ok) return scoredWith(0, { precision: 0, recall: 0, complete: 0 });
    const { f1, precision, recall, isComplete } = linkingScores(gold, predicted);
    return scoredWith(f1, { precision, recall, complete: isComplete ? 1 : 0 });
  },
});
