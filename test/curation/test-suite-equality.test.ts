import { describe, expect, it } from "vitest";
import { InvalidText } from "../../core/execution.ts";
import type { Cell } from "../../core/execution.ts";
import { testSuiteEquality } from "../../curation/test-suite-equality.ts";
import { unnamed } from "./metrics/judged-pair.ts";

const loose = { rowsOrdered: false };
const strict = { rowsOrdered: true };
const bytes = (...values: number[]): Uint8Array => new Uint8Array(values);
const bad = (...values: number[]): InvalidText => new InvalidText(bytes(...values));

describe("testSuiteEquality", () => {
  it.each<[string, boolean, Cell[][], Cell[][]]>([
    [
      "permutes columns",
      true,
      [
        ["a", 1n],
        ["b", 2n],
      ],
      [
        [2n, "b"],
        [1n, "a"],
      ],
    ],
    [
      "takes one permutation for all rows",
      false,
      [
        ["a", "b"],
        ["b", "a"],
        ["a", "c"],
      ],
      [
        ["a", "b"],
        ["a", "b"],
        ["a", "c"],
      ],
    ],
    ["counts duplicates", false, [["a"], ["a"], ["b"]], [["a"], ["b"], ["b"]]],
    ["heeds the number of rows", false, [["a"], ["a"]], [["a"]]],
    ["heeds the number of columns", false, [["a"]], [["a", "a"]]],
    ["tells empty from not empty", false, [], [["a"]]],
    ["takes 1 and 1.0 as equal", true, [[1n]], [[1]]],
    ["rejects 1 and 1.0 where another cell sorts between them", false, [[1n, 1.5]], [[1, 1.5]]],
    ["rejects that whatever the order of columns", false, [[1.5, 1n]], [[1, 1.5]]],
    ["takes 10 and 10.0 where none does", true, [[10n, 9n]], [[10, 9n]]],
    ["rejects -0.0 and 0 around a number with a minus", false, [[-0, -1n]], [[0n, -1n]]],
    ["takes large integers exactly", false, [[9007199254740993n]], [[9007199254740992]]],
    ["takes 1e16 as the integer where nothing is between", true, [[1e16, "a"]], [[10n ** 16n, "a"]]],
    ["rejects 1e16 as the integer where something is", false, [[1e16, 15n]], [[10n ** 16n, 15n]]],
    ["tells text from numbers", false, [["1"]], [[1n]]],
    ["tells text from bytes", false, [["a"]], [[bytes(0x61)]]],
    ["takes bytes by their bytes", true, [[bytes(1, 2), null]], [[null, bytes(1, 2)]]],
    ["drops bytes that are not UTF-8", true, [[bad(0x61, 0xe9)]], [["a"]]],
    ["drops them on both sides", true, [[bad(0x61, 0xe9), 1n]], [[1n, bad(0xff, 0x61)]]],
  ])("%s", (_, equal, gold, predicted) => {
    const expected = equal ? "equal" : "different";
    expect(testSuiteEquality(unnamed(gold), unnamed(predicted), loose)).toBe(expected);
    expect(testSuiteEquality(unnamed(gold), unnamed(predicted, "too_large"), loose)).toBe(expected);
  });

  it.each<[string, boolean, Cell[][], Cell[][]]>([
    ["heeds the order of rows", false, [["a"], ["b"]], [["b"], ["a"]]],
    [
      "permutes columns",
      true,
      [
        ["a", 1n],
        ["b", 2n],
      ],
      [
        [1n, "a"],
        [2n, "b"],
      ],
    ],
    ["rejects 1 and 1.0 where another cell sorts between them", false, [[1n, 1.5]], [[1.5, 1]]],
    ["drops bytes that are not UTF-8", true, [[bad(0xff)], ["a"]], [[""], ["a"]]],
    ["heeds a row that is missing", false, [["a"], ["b"]], [["a"]]],
  ])("with order: %s", (_, equal, gold, predicted) => {
    const expected = equal ? "equal" : "different";
    expect(testSuiteEquality(unnamed(gold), unnamed(predicted), strict)).toBe(expected);
    expect(testSuiteEquality(unnamed(gold), unnamed(predicted, "too_large"), strict)).toBe(expected);
  });

  it("takes two empty results as equal whatever their columns", () => {
    const wide = { ...unnamed([]), columnNames: ["a", "b"] };
    expect(testSuiteEquality(unnamed([]), wide, loose)).toBe("equal");
    expect(testSuiteEquality(unnamed([]), unnamed([], "too_large"), loose)).toBe("different");
  });

  it("stops streaming at the first row that the gold has not", () => {
    let read = 0;
    function* rows(): Generator<Cell[]> {
      for (;;) {
        read += 1;
        yield [BigInt(read), "a"];
      }
    }
    const endless = { ...unnamed([[1n, "a"]], "too_large"), stream: rows };
    expect(
      testSuiteEquality(
        unnamed([
          [1n, "a"],
          [2n, "a"],
          [5n, "a"],
        ]),
        endless,
        loose,
      ),
    ).toBe("different");
    expect(read).toBe(3);
  });

  it("gives up a search over its budget", () => {
    // Pairs of columns that are alike in every count; a search has to try them.
    const cycle = (edges: readonly (readonly [number, number])[], size: number): Cell[][] =>
      edges.map(([from, to]) =>
        Array.from({ length: size }, (_, at) => (at === from || at === to ? 1n : 0n)),
      );
    const hexagon = cycle(
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 4],
        [4, 5],
        [5, 0],
      ],
      6,
    );
    const triangles = cycle(
      [
        [0, 1],
        [1, 2],
        [2, 0],
        [3, 4],
        [4, 5],
        [5, 3],
      ],
      6,
    );
    expect(testSuiteEquality(unnamed(hexagon), unnamed(triangles), loose)).toBe("different");
    expect(testSuiteEquality(unnamed(hexagon), unnamed(triangles), { ...loose, maxSteps: 0 })).toBe(
      "over_budget",
    );
  });
});
