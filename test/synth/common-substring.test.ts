import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SubstringFinder } from "../../synth/common-substring.ts";

/** By trying every part, the first of the longest. */
function tried(text: string, other: string): { start: number; length: number } {
  for (let length = other.length; length > 0; length -= 1) {
    for (let start = 0; start + length <= other.length; start += 1) {
      if (text.includes(other.slice(start, start + length))) return { start, length };
    }
  }
  return { start: 0, length: 0 };
}

describe("SubstringFinder", () => {
  it.each([
    ["", "abc", 0, 0],
    ["abc", "", 0, 0],
    ["abc", "xyz", 0, 0],
    ["los angeles county", "Los Angeles", 5, 6],
    ["in los angeles county", "los angeles", 0, 11],
    ["banana", "bandana", 0, 3],
    ["aaaa", "aaaaaa", 0, 4],
    ["abcbc", "xbcbcy", 1, 4],
    ["naïve 日本", "日本語", 0, 2],
  ])("finds in %j of %j the part from %i of %i units", (text, other, start, length) => {
    expect(new SubstringFinder(text).longestIn(other)).toEqual({ start, length });
  });

  it("agrees with trying every part", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", " "), maxLength: 24 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(new SubstringFinder(one).longestIn(other)).toEqual(tried(one, other));
      }),
    );
  });

  it("takes a long text", () => {
    const finder = new SubstringFinder("ab".repeat(50_000));
    expect(finder.longestIn(`${"x".repeat(1000)}${"ba".repeat(5_000)}`)).toEqual({
      start: 1000,
      length: 10_000,
    });
  });
});
