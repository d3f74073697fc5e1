import { describe, expect, it } from "vitest";
import { cutsTie, isInOrder, isSubset } from "../../curation/graded-equality.ts";
import type { KeyedRows } from "../../curation/graded-equality.ts";

/** Rows and keys written as one letter and one digit: `a1 b2`. */
function rowsOf(text: string): KeyedRows {
  const pairs = text === "" ? [] : text.split(" ");
  return { rows: pairs.map((pair) => pair.charAt(0)), keys: pairs.map((pair) => pair.slice(1)) };
}

const answerOf = (text: string): string[] => text.split("");

describe("cutsTie", () => {
  it.each([
    ["a1 b2 c3", 0, 2, false],
    ["a1 b2 c2", 0, 2, true],
    ["a1 b2 b2", 0, 2, false],
    ["a1 b1 c2", 1, 3, true],
    ["a1 b1 c2 d2", 0, 2, false],
    ["a1 b1", 0, 2, false],
    ["a1 b1", 0, 0, false],
    ["", 0, 0, false],
  ])("of %s from %i to %i: %s", (rows, from, to, expected) => {
    expect(cutsTie(rowsOf(rows), { from, to })).toBe(expected);
  });
});

describe("isInOrder", () => {
  it.each([
    ["a1 b2 c3", 3, "abc", true],
    ["a1 b2 c3", 3, "acb", false],
    ["a1 b2 c2 d3", 4, "acbd", true],
    ["a1 b2 c2 d3", 4, "cabd", false],
    ["a1 b2 c3", 2, "ab", true],
    ["a1 b2 c3", 2, "abc", false],
    ["a1 b2 c3", 2, "a", false],
    ["a1 a1 b2", 3, "aab", true],
    ["a1 a1 b2", 3, "abb", false],
  ])("of %s up to %i has %s: %s", (rows, to, answer, expected) => {
    expect(isInOrder(rowsOf(rows), { from: 0, to }, answerOf(answer))).toBe(expected);
  });
});

describe("isSubset", () => {
  it.each([
    ["a1 b2 c2 d2", 0, 2, "ab", true],
    ["a1 b2 c2 d2", 0, 2, "da", true],
    ["a1 b2 c2 d2", 0, 2, "cd", false],
    ["a1 b2 c2 d2", 0, 2, "a", false],
    ["a1 b2 c2 d2", 0, 2, "abc", false],
    ["a1 b2 c2 d2", 0, 3, "abb", false],
    ["a1 b2 b2 c2", 0, 3, "abb", true],
    ["a1 b2 c2", 0, 2, "ae", false],
    // Both ends cut: one of a and b, and one of c and d.
    ["a1 b1 c2 d2", 1, 3, "bd", true],
    ["a1 b1 c2 d2", 1, 3, "ca", true],
    ["a1 b1 c2 d2", 1, 3, "cd", false],
    // a is on both sides.
    ["a1 b1 a2 d2", 1, 3, "aa", true],
    ["a1 b1 a2 d2", 1, 3, "ab", true],
    ["a1 b1 a2 d2", 1, 3, "bb", false],
    // One tie around the whole window.
    ["a1 b1 c1 d1", 1, 3, "da", true],
  ])("of %s from %i to %i is %s: %s", (rows, from, to, answer, expected) => {
    expect(isSubset(rowsOf(rows), { from, to }, answerOf(answer))).toBe(expected);
  });
});
