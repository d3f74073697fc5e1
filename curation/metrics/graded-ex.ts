import type { Cell, ResultTable } from "../../core/execution.ts";
import { defineMetric } from "../../core/metric.ts";
import { scored, unscored } from "../../core/verdict.ts";
import type { Verdict } from "../../core/verdict.ts";
import { cellKey, rowKey, rowKeys } from "../../io/sql-values.ts";
import { hasUniqueRows } from "../../sql/grading-signs.ts";
import { outermostQuery } from "../../sql/outermost-query.ts";
import { cutsTie, isInOrder, isSubset } from "../graded-equality.ts";
import type { KeyedRows, RowWindow } from "../graded-equality.ts";
import { planIn, planStatement } from "../graded-gold.ts";
import type { GradingPlan } from "../graded-gold.ts";

/** Rows of a tie behind LIMIT that are looked at. */
const SPARE_ROWS = 10_000;

/**
 * Execution accuracy in the mode that the example's gold deserves, by the rules of `gradingMode`: `subset`, `ordered`,
 * `set` or `multiset`. A gold with ORDER BY or LIMIT runs with its order keys beside its rows, and some rows more than
 * it keeps. Rows are tuples and cells are equal as in `multiset-ex`.
 */
export default defineMetric({
  id: "graded-ex",
  version: 1,
  needs: { rows: true },
  deviations: [
    "a gold whose order keys cannot be added to its rows is compared in its own order, ties and LIMIT as they fall",
    `a tie at LIMIT with more than ${SPARE_ROWS} rows behind it leaves an answer that has others unscored`,
    "columns that are declared with a collation are tied only where they are equal by their characters",
  ],
  rewrite: (goldSql, predictedSql) => {
    const planned = planStatement(goldSql, SPARE_ROWS);
    return { goldSql: planned?.sql ?? goldSql, predictedSql: [predictedSql], omitted: null };
  },
  judge({ goldSql, gold, predicted }) {
    const plan = planIn(goldSql);
    if (plan !== null) return judgePlanned(plan, gold, predicted);
    const query = outermostQuery(goldSql);
    const rows = rowKeys(gold.rows);
    if (query !== null && query.orderBy.length > 0) {
      const answer = answerRows(predicted, rows.length);
      return scored(answer !== null && answer.every((row, index) => row === rows[index]) ? 1 : 0);
    }
    return judgeUnordered(rows, predicted, query !== null && hasUniqueRows(query));
  },
});

function judgePlanned(plan: GradingPlan, gold: ResultTable, predicted: ResultTable): Verdict {
  const keyed = keyedRows(gold, plan);
  const { length } = keyed.rows;
  const from = Math.min(plan.offset, length);
  const to = plan.count === null ? length : Math.min(plan.offset + plan.count, length);
  const window: RowWindow = { from, to };
  if (plan.count !== null && cutsTie(keyed, window)) {
    const answer = answerRows(predicted, to - from);
    if (answer !== null && isSubset(keyed, window, answer)) return scored(1);
    return isSeenWhole(keyed, to, plan)
      ? scored(0)
      : unscored("tie_too_wide", `the tie at LIMIT has more than ${SPARE_ROWS} rows behind it`);
  }
  if (plan.keys.length === 0) return judgeUnordered(keyed.rows.slice(from, to), predicted, plan.uniqueRows);
  const answer = answerRows(predicted, to - from);
  return scored(answer !== null && isInOrder(keyed, window, answer) ? 1 : 0);
}

/** Whether the tie at the end of the window ends before the rows that were looked at do. */
function isSeenWhole({ keys }: KeyedRows, to: number, plan: GradingPlan): boolean {
  if (keys.length < plan.offset + (plan.count ?? 0) + SPARE_ROWS) return true;
  return keys[to - 1] !== keys.at(-1);
}

const keyedGolds = new WeakMap<ResultTable, KeyedRows>();

function keyedRows(gold: ResultTable, plan: GradingPlan): KeyedRows {
  let keyed = keyedGolds.get(gold);
  if (keyed === undefined) {
    const keysOf = (row: readonly Cell[]): string =>
      plan.keys.map((index) => cellKey(row.at(index) as Cell)).join("");
    const shown = (row: readonly Cell[]): string => rowKey(row.slice(0, row.length - plan.added));
    keyed = { rows: gold.rows.map(shown), keys: gold.rows.map(keysOf) };
    keyedGolds.set(gold, keyed);
  }
  return keyed;
}

function judgeUnordered(gold: readonly string[], predicted: ResultTable, uniqueRows: boolean): Verdict {
  if (uniqueRows) return scored(isSameSet(new Set(gold), predicted) ? 1 : 0);
  const answer = answerRows(predicted, gold.length);
  if (answer === null) return scored(0);
  const keyed = { rows: gold, keys: gold.map(() => "") };
  return scored(isSubset(keyed, { from: 0, to: gold.length }, answer) ? 1 : 0);
}

/** The keys of an answer's rows; `null` when there are more or fewer than `length`. */
function answerRows(predicted: ResultTable, length: number): readonly string[] | null {
  if (predicted.execution.status !== "too_large") {
    return predicted.rows.length === length ? rowKeys(predicted.rows) : null;
  }
  const rows: string[] = [];
  for (const row of predicted.stream()) {
    if (rows.length === length) return null;
    rows.push(rowKey(row));
  }
  return rows.length === length ? rows : null;
}

/** Whether an answer has exactly the rows of `expected`; stops at the first that is none. */
function isSameSet(expected: ReadonlySet<string>, predicted: ResultTable): boolean {
  const seen = new Set<string>();
  for (const row of predicted.execution.status === "too_large" ? predicted.stream() : predicted.rows) {
    const key = rowKey(row);
    if (!expected.has(key)) return false;
    seen.add(key);
  }
  return seen.size === expected.size;
}
