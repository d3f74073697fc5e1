import type { ResultTable } from "../../core/execution.ts";
import { defineMetric } from "../../core/metric.ts";
import { scored, unscored } from "../../core/verdict.ts";
import { ordersRows } from "../../sql/row-order.ts";
import { CellNumbers, findCells, numberCells } from "../cell-grid.ts";
import type { CellGrid } from "../cell-grid.ts";
import { bindColumns } from "../rex-columns.ts";
import { rexEquality } from "../rex-equality.ts";

/**
 * DualSQL's robust execution match: 1 when some bijection of the columns makes the rows of both results
 * equal, in their order when the gold orders its rows, otherwise in any order, each equally often; else 0.
 * Unscored, `rex_budget`, when a search of bounded length does not find out.
 *
 * The paper calls two results equal when a similarity is 1. That takes as many columns, as many rows, and a
 * bijection under which all cells agree, which is decided here without its assignments of rows; what it
 * finds only because an assignment of keys with repeated values happened to fall right or wrong is not
 * copied. What it leaves open, each rule not in the paper:
 *
 * - Cells: integers and reals are equal by exact value (1 and 1.0 are), with no tolerance. This is all that
 *   "type differences are handled flexibly" means here: numeric text is text, so '1' is not 1; text is equal
 *   by its characters, case included; blobs and text that is not UTF-8 by their bytes.
 * - NULL equals NULL and nothing else.
 * - Order: it is strict when the gold's outermost query has ORDER BY, at the end of a compound one included.
 *   In the paper the keyword anywhere in the gold is enough. Rows that tie are in the order in which the
 *   engine gave them.
 * - Names: a name that occurs once on each side binds its two columns. Other columns are matched by content:
 *   those of one name that occurs twice on a side, and unnamed expressions, whose text is no name. ASCII
 *   case does not count.
 * - Two results without rows are equal when they have as many columns. A statement without columns, such as
 *   a blank one, equals only its like.
 *
 * @paper DualSQL appendix E
 */
export default defineMetric({
  id: "rex",
  version: 1,
  needs: { rows: true },
  deviations: [
    "decides equality by definition: matches that the paper's wide-table heuristic misses count",
    "only an ORDER BY of the gold's outermost query makes row order count",
    "unnamed expressions and repeated column names are matched by content",
    "a search over its step budget is unscored",
  ],
  judge({ goldSql, gold, predicted, schema }) {
    if (predicted === gold) return scored(1);
    if (gold.columnNames.length !== predicted.columnNames.length) return scored(0);
    const { grid, numbers } = numbered(gold);
    const found = findCells(rowsOf(predicted), grid, numbers);
    if (found === undefined) return scored(0);
    const groups = bindColumns(gold.columnNames, predicted.columnNames, schema);
    const answer = rexEquality(grid, found, groups, { rowsOrdered: ordersRows(goldSql) });
    if (answer !== "over_budget") return scored(answer === "equal" ? 1 : 0);
    return unscored("rex_budget", "no matching of columns was found or ruled out within the step budget");
  },
});

const grids = new WeakMap<ResultTable, { readonly grid: CellGrid; readonly numbers: CellNumbers }>();

function numbered(gold: ResultTable): { readonly grid: CellGrid; readonly numbers: CellNumbers } {
  let known = grids.get(gold);
  if (known === undefined) {
    const numbers = new CellNumbers();
    known = { grid: numberCells(gold.rows, gold.columnNames.length, numbers), numbers };
    grids.set(gold, known);
  }
  return known;
}

function rowsOf(table: ResultTable): Iterable<ResultTable["rows"][number]> {
  return table.execution.status === "too_large" ? table.stream() : table.rows;
}
