import { describe, expect, it } from "vitest";
import { type Cell, InvalidText } from "../../../core/execution.ts";
import softF1 from "../../../curation/metrics/bird-soft-f1.ts";
import { pairOf, unnamed } from "./judged-pair.ts";

type Rows = readonly (readonly Cell[])[];

function score(gold: Rows, predicted: Rows): number {
  const verdict = softF1.judge(pairOf(unnamed(gold), unnamed(predicted)));
  return verdict.status === "scored" ? verdict.score : Number.NaN;
}

describe("bird-soft-f1", () => {
  it.each<[string, Rows, Rows, number]>([
    ["two results without rows", [], [], 1],
    ["rows where there are none", [], [[1n]], 0],
    ["no rows where there are some", [[1n]], [], 0],
    ["columns in another order", [[1n, "a"]], [["a", 1n]], 1],
    ["rows in another order", [[2n], [1n]], [[1n], [2n]], 0],
    // found 2/2, only predicted 1/2: precision 2/3, recall 1
    ["a column too many", [[1n, 2n]], [[1n, 2n, 3n]], 0.8],
    // found 1/2, only gold 1/2: precision 1, recall 1/2
    ["a column too few", [[1n, 2n]], [[1n]], 2 / 3],
    ["one cell found three times", [[1n]], [[1n, 1n, 1n]], 1],
    // found 1, only gold 1: precision 1, recall 1/2
    ["a row too few", [[1n], [2n]], [[1n]], 2 / 3],
    // found 1, only predicted 2: precision 1/3, recall 1
    ["rows too many", [[1n]], [[1n], [2n], [3n]], 0.5],
    ["repeated rows", [[1n], [1n], [2n]], [[1n], [2n], [2n], [1n]], 1],
    ["integers and reals of one value, as rows too", [[1n], [1]], [[1]], 1],
    ["numbers and text", [[1n]], [["1"]], 0],
    ["NULL and NULL", [[null]], [[null]], 1],
  ])("scores %s", (_name, gold, predicted, expected) => {
    expect(score(gold, predicted)).toBeCloseTo(expected, 14);
  });

  it("scores 0 for text that is not UTF-8, on either side", () => {
    const invalid: Rows = [[new InvalidText(new Uint8Array([255]))]];
    expect(score(invalid, invalid)).toBe(0);
    expect(score([[1n]], invalid)).toBe(0);
    expect(score(invalid, [[1n]])).toBe(0);
  });

  it("reads a result too large to hold from its stream", () => {
    const large = unnamed([[1n], [1n], [2n], [3n]], "too_large");
    expect(softF1.judge(pairOf(unnamed([[1n]]), large))).toEqual({ status: "scored", score: 0.5 });
  });

  it("gives no score to more distinct rows than it can tell apart", () => {
    const counting = {
      ...unnamed([], "too_large"),
      *stream() {
        for (let value = 0; ; value += 1) yield [value];
      },
    };
    expect(softF1.judge(pairOf(unnamed([[1n]]), counting))).toMatchObject({
      status: "unscored",
      reason: "soft_f1_rows",
    });
  });
});
