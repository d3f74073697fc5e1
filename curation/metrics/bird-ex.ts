import { InvalidText } from "../../core/execution.ts";
import type { Cell, ResultTable } from "../../core/execution.ts";
import { defineMetric } from "../../core/metric.ts";
import { scored } from "../../core/verdict.ts";
import { rowKey, rowKeys } from "../../io/sql-values.ts";

const rowSets = new WeakMap<ResultTable, ReadonlySet<string> | null>();

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
  judge({ gold, predicted }) {
    const expected = setOfRows(gold);
    if (expected === null) return scored(0);
    if (predicted.execution.status === "too_large") {
      return scored(streamEquals(predicted.stream(), expected) ? 1 : 0);
    }
    const found = setOfRows(predicted);
    if (found === null || found.size !== expected.size) return scored(0);
    for (const key of found) if (!expected.has(key)) return scored(0);
    return scored(1);
  },
});

/** The keys of a result's rows; `null` when a cell cannot be decoded. */
function setOfRows(table: ResultTable): ReadonlySet<string> | null {
  let keys = rowSets.get(table);
  if (keys === undefined) {
    keys = table.rows.some(hasInvalidText) ? null : new Set(rowKeys(table.rows));
    rowSets.set(table, keys);
  }
  return keys;
}

function hasInvalidText(row: readonly Cell[]): boolean {
  return row.some((cell) => cell instanceof InvalidText);
}

/** Whether the rows are exactly those of `expected`; stops at the first that is not. */
function streamEquals(rows: Iterable<readonly Cell[]>, expected: ReadonlySet<string>): boolean {
  const seen = new Set<string>();
  for (const row of rows) {
    if (hasInvalidText(row)) return false;
    const key = rowKey(row);
    if (!expected.has(key)) return false;
    seen.add(key);
  }
  return seen.size === expected.size;
}
