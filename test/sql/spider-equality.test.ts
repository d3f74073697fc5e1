import { describe, expect, it } from "vitest";
import { areSameSpiderParts, countSameSpiderParts, distinctSpiderParts } from "../../sql/spider-equality.ts";

describe("areSameSpiderParts", () => {
  it.each<readonly [left: unknown, right: unknown, same: boolean]>([
    [1, 1, true],
    [0, -0, true],
    [1, "1", false],
    [null, null, true],
    [null, 0, false],
    [null, {}, false],
    ["a", "A", false],
    [Number.NaN, Number.NaN, false],
    [[1, 2], [1, 2], true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[], [], true],
    [{ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1, c: 2 }, false],
    [{ a: undefined }, { b: undefined }, false],
    [{ a: { b: 1 } }, { a: { b: 2 } }, false],
  ])("compares %j with %j", (left, right, same) => {
    expect(areSameSpiderParts(left, right)).toBe(same);
    expect(areSameSpiderParts(right, left)).toBe(same);
  });
});

describe("countSameSpiderParts", () => {
  it.each<readonly [predicted: unknown[], gold: unknown[], count: number]>([
    [[], [], 0],
    [["a"], [], 0],
    [["a", "b"], ["b", "a"], 2],
    [["a", "a"], ["a", "b"], 1],
    [["a", "a", "b"], ["a", "a"], 2],
    [[{ a: 1 }], [{ a: 2 }, { a: 1 }], 1],
    [[Number.NaN], [Number.NaN], 0],
  ])("finds the partners of %j among %j", (predicted, gold, count) => {
    const before = structuredClone(gold);
    expect(countSameSpiderParts(predicted, gold)).toBe(count);
    expect(gold).toEqual(before);
  });
});

describe("distinctSpiderParts", () => {
  it("keeps the first of its like", () => {
    expect(distinctSpiderParts(["and", "or", "and"])).toEqual(["and", "or"]);
    expect(distinctSpiderParts([{ a: 1 }, { a: 1 }, { a: 2 }])).toEqual([{ a: 1 }, { a: 2 }]);
    expect(distinctSpiderParts([])).toEqual([]);
  });
});
