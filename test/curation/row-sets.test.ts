import { describe, expect, it } from "vitest";
import { type Cell, InvalidText, type ResultTable } from "../../core/execution.ts";
import { haveSameRowSets } from "../../curation/row-sets.ts";
import { RowHashes, rememberRowHashes } from "../../io/row-hashes.ts";
import { rowKey } from "../../io/sql-values.ts";
import { unnamed } from "./metrics/judged-pair.ts";

type Rows = readonly (readonly Cell[])[];
const invalid = new InvalidText(new Uint8Array([0xe9]));

/** A result of which only hashes are kept. */
function hashed(rows: Rows): ResultTable {
  const table: ResultTable = { ...unnamed(rows), rows: [] };
  const hashes = new RowHashes(rows[0]?.length ?? 1);
  for (const row of rows) hashes.add(rowKey(row));
  hashes.hasInvalidText = rows.flat().includes(invalid);
  rememberRowHashes(table, hashes);
  return table;
}

describe("haveSameRowSets", () => {
  it.each<[string, Rows, Rows, boolean]>([
    ["rows in another order, repeated", [[1n], [2n]], [[2n], [1n], [2n]], true],
    ["a row too many", [[1n]], [[1n], [2n]], false],
    ["a row too few", [[1n], [2n]], [[1n]], false],
    ["columns in another order", [[1n, 2n]], [[2n, 1n]], false],
    ["integers and reals of one value", [[1n], [0]], [[1], [-0]], true],
    ["no rows on either side", [], [], true],
    ["text that is not UTF-8", [[invalid]], [[invalid]], false],
    ["text that is not UTF-8 in the prediction", [["a"]], [[invalid]], false],
  ])("%s", (_, gold, predicted, expected) => {
    expect(haveSameRowSets(unnamed(gold), unnamed(predicted))).toBe(expected);
    expect(haveSameRowSets(unnamed(gold), unnamed(predicted, "too_large"))).toBe(expected);
    expect(haveSameRowSets(hashed(gold), unnamed(predicted))).toBe(expected);
    expect(haveSameRowSets(unnamed(gold), hashed(predicted))).toBe(expected);
    expect(haveSameRowSets(hashed(gold), hashed(predicted))).toBe(expected);
    expect(haveSameRowSets(hashed(gold), unnamed(predicted, "too_large"))).toBe(expected);
  });

  it("takes equal digests for equal sets, unless the text is not UTF-8", () => {
    const withDigest = (rows: Rows): ResultTable => {
      const table = unnamed(rows);
      return { ...table, execution: { ...table.execution, digest: "d".repeat(32) } };
    };
    expect(haveSameRowSets(withDigest([[1n]]), withDigest([[1n]]))).toBe(true);
    expect(haveSameRowSets(withDigest([[invalid]]), withDigest([[invalid]]))).toBe(false);
  });
});
