import { describe, expect, it } from "vitest";
import { type Cell, InvalidText } from "../../../core/execution.ts";
import rex from "../../../curation/metrics/rex.ts";
import { cycleTable } from "../rex-tables.ts";
import { pairOf, resultOf, unnamed } from "./judged-pair.ts";

type Rows = readonly (readonly Cell[])[];
const one = { status: "scored", score: 1 };
const zero = { status: "scored", score: 0 };

function cells(lengths: readonly number[]): Rows {
  return cycleTable(lengths).map((row) => row.map(BigInt));
}

describe("rex", () => {
  it.each<[string, Rows, Rows, number]>([
    ["columns in another order", [[1n, "a"]], [["a", 1n]], 1],
    ["rows in another order", [[1n], [2n]], [[2n], [1n]], 1],
    ["another number of repeats", [[1n], [1n], [2n]], [[1n], [2n], [2n]], 0],
    ["a column too many", [[1n]], [[1n, 1n]], 0],
    ["a row too few", [[1n], [1n]], [[1n]], 0],
    ["integers and reals of one value", [[1n, 2n]], [[2, 1]], 1],
    ["numeric text", [[1n]], [["1"]], 0],
    ["NULLs", [[null]], [[null]], 1],
    ["NULL and nothing", [[null]], [[""]], 0],
    ["text in other letters", [["a"]], [["A"]], 0],
    ["nearly equal reals", [[0.3]], [[0.1 + 0.2]], 0],
    ["text and a blob", [["a"]], [[new Uint8Array([97])]], 0],
    [
      "text that is not UTF-8",
      [[new InvalidText(new Uint8Array([255]))]],
      [[new InvalidText(new Uint8Array([255]))]],
      1,
    ],
    [
      "rows that no one order of columns makes equal",
      [
        ["a", "b"],
        ["c", "d"],
      ],
      [
        ["a", "b"],
        ["d", "c"],
      ],
      0,
    ],
  ])("judges %s", (_name, gold, predicted, score) => {
    expect(rex.judge(pairOf(unnamed(gold), unnamed(predicted)))).toEqual({ status: "scored", score });
  });

  it("keeps the order of rows where the gold's outermost query has one", () => {
    const gold = unnamed([
      [1n, "a"],
      [2n, "b"],
    ]);
    const turned = unnamed([
      ["b", 2n],
      ["a", 1n],
    ]);
    const columnsTurned = unnamed([
      ["a", 1n],
      ["b", 2n],
    ]);
    const ordered = { gold: "SELECT n, c FROM t ORDER BY n" };
    expect(rex.judge(pairOf(gold, turned, ordered))).toEqual(zero);
    expect(rex.judge(pairOf(gold, columnsTurned, ordered))).toEqual(one);
    const inner = { gold: "SELECT n, c FROM (SELECT n, c FROM t ORDER BY n LIMIT 2)" };
    expect(rex.judge(pairOf(gold, turned, inner))).toEqual(one);
    expect(rex.judge(pairOf(gold, turned, { predicted: "SELECT c, n FROM t ORDER BY 1 DESC" }))).toEqual(one);
  });

  it("binds columns by a name that both sides have once", () => {
    const gold = resultOf(["home", "away"], [[1n, 2n]]);
    expect(rex.judge(pairOf(gold, resultOf(["AWAY", "Home"], [[2n, 1n]])))).toEqual(one);
    expect(rex.judge(pairOf(gold, resultOf(["away", "home"], [[1n, 2n]])))).toEqual(zero);
    expect(rex.judge(pairOf(gold, resultOf(["away", "other"], [[2n, 1n]])))).toEqual(one);
    expect(rex.judge(pairOf(gold, resultOf(["other", "away"], [[2n, 1n]])))).toEqual(zero);
  });

  it("matches repeated names and unnamed expressions by content", () => {
    const names = ["name", "name"];
    expect(rex.judge(pairOf(resultOf(names, [["a", "b"]]), resultOf(names, [["b", "a"]])))).toEqual(one);
    const expressions = ["max(T1.a)", "max(T2.a)"];
    expect(rex.judge(pairOf(resultOf(expressions, [[1n, 2n]]), resultOf(expressions, [[2n, 1n]])))).toEqual(
      one,
    );
  });

  it("takes two results without rows for equal when they have as many columns", () => {
    expect(rex.judge(pairOf(resultOf(["a", "b"], []), resultOf(["b", "c"], [])))).toEqual(one);
    expect(rex.judge(pairOf(resultOf(["a", "b"], []), resultOf(["a"], [])))).toEqual(zero);
    expect(rex.judge(pairOf(resultOf(["a"], []), resultOf([], [])))).toEqual(zero);
  });

  it("reads a result too large to hold from its stream", () => {
    const gold = unnamed([[1n], [2n]]);
    expect(rex.judge(pairOf(gold, unnamed([[2n], [1n]], "too_large")))).toEqual(one);
    expect(rex.judge(pairOf(gold, unnamed([[2n], [1n], [1n]], "too_large")))).toEqual(zero);
  });

  it("gives no score where its search would be too long, unless the result is the gold's", () => {
    const gold = unnamed(cells([6, 6, 6, 6, 6, 6, 6, 6]));
    const other = unnamed(cells([6, 6, 6, 6, 6, 6, 6, 3, 3]));
    expect(rex.judge(pairOf(gold, other))).toMatchObject({ status: "unscored", reason: "rex_budget" });
    expect(rex.judge(pairOf(gold, gold))).toEqual(one);
  });
});
