import { describe, expect, it } from "vitest";
import { InvalidText } from "../../../core/execution.ts";
import type { Cell, ExecutionStatus, ResultTable } from "../../../core/execution.ts";
import birdEx from "../../../curation/metrics/bird-ex.ts";

function table(rows: readonly (readonly Cell[])[], status: ExecutionStatus = "ok"): ResultTable {
  return {
    execution: { status, message: "", rows: rows.length, columns: 1, digest: "", orderedDigest: "" },
    columnNames: ["a"],
    rows: status === "too_large" ? [] : rows,
    stream: () => rows,
  };
}

function score(gold: ResultTable, predicted: ResultTable): number | undefined {
  const verdict = birdEx.judge({
    goldSql: "",
    predictedSql: "",
    gold,
    predicted,
    schema: { databaseId: "", tables: [], foreignKeys: [] },
  });
  return verdict.status === "scored" ? verdict.score : undefined;
}

const bad = (...bytes: number[]): InvalidText => new InvalidText(new Uint8Array(bytes));

describe("bird-ex", () => {
  it.each<[string, number, Cell[][], Cell[][]]>([
    ["ignores duplicates and the order of rows", 1, [[1n], [2n], [2n]], [[2n], [1n]]],
    ["heeds the order of columns", 0, [[1n, 2n]], [[2n, 1n]]],
    ["heeds the number of columns", 0, [[1n]], [[1n, 1n]]],
    ["takes integers and floats of one value as equal", 1, [[1n], [0]], [[1], [-0]]],
    ["compares big integers exactly", 0, [[9007199254740993n]], [[9007199254740992]]],
    ["has no tolerance", 0, [[0.3]], [[0.1 + 0.2]]],
    ["tells text from numbers", 0, [["1"]], [[1n]]],
    ["tells text from bytes", 0, [["a"]], [[new Uint8Array([0x61])]]],
    ["takes NULLs as equal", 1, [[null]], [[null]]],
    ["heeds case and spaces", 0, [["a"]], [["A "]]],
    ["takes two empty results as equal", 1, [], []],
    ["tells an empty result from another", 0, [], [[null]]],
    ["gives 0 for text that is not UTF-8, even when it is the same", 0, [[bad(0xe9)]], [[bad(0xe9)]]],
    ["heeds a row too many", 0, [[1n]], [[1n], [2n]]],
  ])("%s", (_, expected, gold, predicted) => {
    expect(score(table(gold), table(predicted))).toBe(expected);
    expect(score(table(gold), table(predicted, "too_large"))).toBe(expected);
  });

  it("stops streaming at the first row that gold does not have", () => {
    let read = 0;
    const endless = table([], "too_large");
    function* rows(): Generator<Cell[]> {
      for (;;) {
        read += 1;
        yield [BigInt(Math.min(read, 3))];
      }
    }
    expect(score(table([[1n], [2n]]), { ...endless, stream: rows })).toBe(0);
    expect(read).toBe(3);
  });
});
