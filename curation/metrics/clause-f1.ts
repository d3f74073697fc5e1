import { defineMetric } from "../../core/metric.ts";
import { scored } from "../../core/verdict.ts";
import { clauseMatch } from "../clause-match.ts";

/**
 * MTSQL-R1's clause match: the mean F1 of SELECT, WHERE, JOIN, GROUP and ORDER between prediction and gold, each
 * clause being a set of items. A clause that neither side has is left out. Nothing is run. The paper does not say what
 * an item is, nor what becomes of values, HAVING, LIMIT and compounds. Here:
 *
 * - SELECT: output expressions; DISTINCT and aliases do not count.
 * - WHERE: comparisons with their values; one item more for how they are put together where there is an OR.
 * - JOIN: the tables and subqueries of FROM, the comparisons of ON and USING, and the kind of a join that is no inner
 *   one. So a query of one table has this clause.
 * - GROUP: the terms of GROUP BY and the comparisons of HAVING. ORDER: terms with directions, and LIMIT.
 * - The parts of a compound query give their items to the same sets; a subquery is a part of its item; common table
 *   expressions count where they are read, not for what they hold.
 * - Two texts without any of the clauses score 1 when they are the same but for case and white space (two blank ones
 *   are), else 0.
 *
 * @paper MTSQL-R1, process reward of PROPOSE and SELF-CORRECT
 */
export default defineMetric({
  id: "clause-f1",
  version: 1,
  needs: { rows: false },
  deviations: [
    "the paper does not define its items: here they are found by words and parentheses, names resolved by the schema",
    "values count: a comparison with another value is another item",
    "JOIN takes in the tables of FROM, GROUP takes in HAVING, ORDER takes in LIMIT",
  ],
  judge: ({ goldSql, predictedSql, schema }) => scored(clauseMatch(goldSql, predictedSql, schema)),
});
