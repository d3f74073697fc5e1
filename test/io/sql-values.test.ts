import { describe, expect, it } from "vitest";
import { InvalidText } from "../../core/execution.ts";
import type { Cell } from "../../core/execution.ts";
import { cellKey, digestRows, rowKey } from "../../io/sql-values.ts";

describe("cellKey", () => {
  it.each<[Cell, Cell]>([
    [1n, 1],
    [0, -0],
    [2n ** 60n, 2 ** 60],
    [10n ** 22n, 1e22],
    [null, null],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
  ])("is the same for %s and %s", (left, right) => {
    expect(cellKey(left)).toBe(cellKey(right));
  });

  it.each<[Cell, Cell]>([
    [2n ** 63n - 1n, 2 ** 63],
    [9007199254740993n, 9007199254740992],
    [0.1 + 0.2, 0.3],
    [1n, "1"],
    [null, ""],
    ["a", new Uint8Array([0x61])],
    [new Uint8Array([0xe9]), new InvalidText(new Uint8Array([0xe9]))],
    ["é", "e\u0301"],
  ])("is another for %s and %s", (left, right) => {
    expect(cellKey(left)).not.toBe(cellKey(right));
  });
});

describe("rowKey", () => {
  it("keeps cells apart", () => {
    expect(rowKey(["a", "b"])).not.toBe(rowKey(["ab", ""]));
    expect(rowKey(["1;i2", 3n])).not.toBe(rowKey(["1", 2n, 3n]));
  });
});

describe("digestRows", () => {
  it("hashes the sorted and the given order", () => {
    // sha256 of "2|i1;t1:ai2;n" and of "2|i2;ni1;t1:a", cut to 32 digits.
    expect(
      digestRows([
        [2n, null],
        [1n, "a"],
      ]),
    ).toEqual({
      digest: "19ad041af3499ed1ca881357b28973da",
      orderedDigest: "cd10268f79800b8c03f53b7bacb5bf16",
    });
  });
});
