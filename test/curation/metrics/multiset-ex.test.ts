import { describe, expect, it } from "vitest";
import { type Cell, InvalidText } from "../../../core/execution.ts";
import multisetEx from "../../../curation/metrics/multiset-ex.ts";
import { pairOf, unnamed } from "./judged-pair.ts";

type Rows = readonly (readonly Cell[])[];
const invalid = (byte: number): Cell => new InvalidText(new Uint8Array([byte]));

describe("multiset-ex", () => {
  it.each<[string, Rows, Rows, number]>([
    ["rows in another order", [[1n], [2n], [1n]], [[2n], [1n], [1n]], 1],
    ["another number of repeats", [[1n], [2n], [1n]], [[2n], [1n], [2n]], 0],
    ["a repeat too few", [[1n], [1n]], [[1n]], 0],
    ["columns in another order", [[1n, "a"]], [["a", 1n]], 0],
    ["integers and reals of one value", [[1n], [2n]], [[2], [1]], 1],
    ["numbers and text", [[1n]], [["1"]], 0],
    ["no rows on either side", [], [], 1],
    ["no rows on one side", [[null]], [], 0],
    ["one text that is not UTF-8", [[invalid(255)]], [[invalid(255)]], 1],
    ["another text that is not UTF-8", [[invalid(255)]], [[invalid(254)]], 0],
  ])("judges %s", (_name, gold, predicted, expected) => {
    expect(multisetEx.judge(pairOf(unnamed(gold), unnamed(predicted)))).toEqual({
      status: "scored",
      score: expected,
    });
  });

  it("reads a result too large to hold no further than its first row too many", () => {
    let read = 0;
    const endless = {
      ...unnamed([], "too_large"),
      *stream() {
        for (;;) {
          read += 1;
          yield [1n];
        }
      },
    };
    expect(multisetEx.judge(pairOf(unnamed([[1n], [1n]]), endless))).toEqual({ status: "scored", score: 0 });
    expect(read).toBe(3);
    const same = unnamed([[1n], [1n]], "too_large");
    expect(multisetEx.judge(pairOf(unnamed([[1n], [1n]]), same))).toEqual({ status: "scored", score: 1 });
  });
});
