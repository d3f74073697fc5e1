import type { ResultTable } from "../../core/execution.ts";
import { defineMetric } from "../../core/metric.ts";
import { scored } from "../../core/verdict.ts";
import { rowKey, rowKeys } from "../../io/sql-values.ts";

/**
 * Execution accuracy with duplicates: 1 when both results have the same rows, each equally often, else 0.
 * Rows are tuples: the order of columns counts, their names and the order of rows do not. Cells are equal as
 * in Python: 1 and 1.0 are, with no tolerance, text by its characters, blobs and text that is not UTF-8 by
 * their bytes. Two results without rows are equal whatever their columns.
 */
export default defineMetric({
  id: "multiset-ex",
  version: 1,
  needs: { rows: true },
  deviations: [],
  judge({ gold, predicted }) {
    const isTooLarge = predicted.execution.status === "too_large";
    if (!isTooLarge && predicted.rows.length !== gold.rows.length) return scored(0);
    const keys = isTooLarge ? keysOf(predicted.stream()) : rowKeys(predicted.rows);
    return scored(isMultisetOf(keys, gold) ? 1 : 0);
  },
});

function* keysOf(rows: ReturnType<ResultTable["stream"]>): Generator<string, void, void> {
  for (const row of rows) yield rowKey(row);
}

const countsOfGolds = new WeakMap<ResultTable, ReadonlyMap<string, number>>();

function countsOf(gold: ResultTable): ReadonlyMap<string, number> {
  const known = countsOfGolds.get(gold);
  if (known !== undefined) return known;
  const counts = new Map<string, number>();
  for (const key of rowKeys(gold.rows)) counts.set(key, (counts.get(key) ?? 0) + 1);
  countsOfGolds.set(gold, counts);
  return counts;
}

/** Whether the keys are those of the gold's rows; stops at the first that is one too many. */
function isMultisetOf(keys: Iterable<string>, gold: ResultTable): boolean {
  const expected = countsOf(gold);
  const counts = new Map<string, number>();
  let total = 0;
  for (const key of keys) {
    const count = (counts.get(key) ?? 0) + 1;
    if (count > (expected.get(key) ?? 0)) return false;
    counts.set(key, count);
    total += 1;
  }
  return total === gold.rows.length;
}
