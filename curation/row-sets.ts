import { InvalidText } from "../core/execution.ts";
import type { Cell, ResultTable } from "../core/execution.ts";
import { RowHashes, rowHashesOf } from "../io/row-hashes.ts";
import { rowKey, rowKeys } from "../io/sql-values.ts";

const rowSets = new WeakMap<ResultTable, ReadonlySet<string> | null>();

/**
 * Whether two results are the same set of rows, as BIRD's evaluators compare them. Rows are tuples: the order of
 * columns counts, their names, duplicates and the order of rows do not. Cells are equal as in Python: 1 and 1.0 are,
 * with no tolerance, text by its characters. Invalid UTF-8 on either side is an error there, so not the same. A
 * prediction too large to hold is streamed up to the first row that gold does not have.
 */
export function haveSameRowSets(gold: ResultTable, predicted: ResultTable): boolean {
  if (rowHashesOf(gold) !== undefined || rowHashesOf(predicted) !== undefined) {
    return haveSameHashedSets(gold, predicted);
  }
  // The same multiset of rows is the same set, and sets cost more than digests.
  const { digest } = gold.execution;
  if (digest !== "" && digest === predicted.execution.digest) return !gold.rows.some(hasInvalidText);
  const expected = setOfRows(gold);
  if (expected === null) return false;
  if (predicted.execution.status === "too_large") return streamEquals(predicted.stream(), expected);
  const found = setOfRows(predicted);
  if (found === null || found.size !== expected.size) return false;
  for (const key of found) if (!expected.has(key)) return false;
  return true;
}

/** The same where one of the results is too large to hold, by the hashes of its rows. */
function haveSameHashedSets(gold: ResultTable, predicted: ResultTable): boolean {
  const expected = hashesOf(gold);
  if (expected.hasInvalidText) return false;
  if (predicted.execution.status === "too_large") return streamHasSameSet(predicted.stream(), expected);
  const found = hashesOf(predicted);
  return !found.hasInvalidText && expected.hasSameSet(found);
}

function hashesOf(table: ResultTable): RowHashes {
  let hashes = rowHashesOf(table);
  if (hashes === undefined) {
    hashes = new RowHashes(table.execution.columns);
    for (const key of rowKeys(table.rows)) hashes.add(key);
    hashes.hasInvalidText = table.rows.some(hasInvalidText);
  }
  return hashes;
}

function streamHasSameSet(rows: Iterable<readonly Cell[]>, expected: RowHashes): boolean {
  let hasInvalid = false;
  function* keys(): Generator<string, void, void> {
    for (const row of rows) {
      hasInvalid ||= hasInvalidText(row);
      if (hasInvalid) return;
      yield rowKey(row);
    }
  }
  return expected.hasSameSetAs(keys()) && !hasInvalid;
}

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
