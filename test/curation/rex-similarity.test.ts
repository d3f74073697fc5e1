import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Cell } from "../../core/execution.ts";
import rex from "../../curation/metrics/rex.ts";
import { rexSimilarity } from "../../curation/rex-similarity.ts";
import { NO_TABLES, pairOf, resultOf } from "./metrics/judged-pair.ts";
import { numberRows } from "./rex-tables.ts";

type Rows = readonly (readonly Cell[])[];

interface Given {
  readonly goldNames: readonly string[];
  readonly names: readonly string[];
  readonly rowsOrdered?: boolean;
}

function similarity(gold: Rows, predicted: Rows, { goldNames, names, rowsOrdered = false }: Given): number {
  return rexSimilarity(
    { columnNames: goldNames, rows: gold },
    { columnNames: names, rows: predicted },
    { rowsOrdered, schema: NO_TABLES },
  );
}

const ab = { goldNames: ["a", "b"], names: ["a", "b"] };
const unlike = { goldNames: ["a", "b"], names: ["x", "y"] };
const numbered = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe("rexSimilarity", () => {
  it.each<[string, Rows, Rows, Given, number]>([
    ["the same rows", [[1n, 2n]], [[1n, 2n]], ab, 1],
    ["one cell of two", [[1n, 2n]], [[1n, 3n]], ab, 0.5],
    [
      "rows in another order",
      [
        [1n, 2n],
        [3n, 4n],
      ],
      [
        [3n, 4n],
        [1n, 2n],
      ],
      ab,
      1,
    ],
    [
      "rows in another order, ordered",
      [
        [1n, 2n],
        [3n, 4n],
      ],
      [
        [3n, 4n],
        [1n, 2n],
      ],
      { ...ab, rowsOrdered: true },
      0,
    ],
    // 2 rows of 1 column agree, times 2 rows of 4
    ["rows too many", [[1n], [2n]], [[1n], [2n], [1n], [2n]], { goldNames: ["a"], names: ["a"] }, 0.5],
    ["rows too few", [[1n], [2n]], [[1n]], { goldNames: ["a"], names: ["a"] }, 0.5],
    // both columns of the gold are found, times 2 columns of 3
    [
      "a column too many",
      [[1n, 2n]],
      [[1n, 2n, 3n]],
      { goldNames: ["a", "b"], names: ["a", "b", "c"] },
      2 / 3,
    ],
    ["a column too few", [[1n, 2n]], [[2n]], { goldNames: ["a", "b"], names: ["b"] }, 0.5],
    ["columns of swapped names", [[1n, 2n]], [[2n, 1n]], ab, 0],
    [
      "columns of other names by content",
      [
        [1n, 2n],
        [3n, 4n],
      ],
      [
        [4n, 3n],
        [2n, 1n],
      ],
      unlike,
      1,
    ],
    [
      "three of four cells by content",
      [
        [1n, 2n],
        [3n, 4n],
      ],
      [
        [2n, 1n],
        [9n, 3n],
      ],
      unlike,
      0.75,
    ],
    [
      "columns of other names, ordered",
      [
        [1n, 2n],
        [3n, 4n],
      ],
      [
        [2n, 1n],
        [9n, 3n],
      ],
      { ...unlike, rowsOrdered: true },
      0.75,
    ],
    // rows are aligned by the name in common alone: 1-1 and 2-2, so that the others are crosswise
    [
      "what is aligned by a name in common",
      [
        [1n, 5n],
        [2n, 6n],
      ],
      [
        [1n, 6n],
        [2n, 5n],
      ],
      { goldNames: ["a", "b"], names: ["a", "x"] },
      0.5,
    ],
    ["no rows", [], [], ab, 1],
    ["no rows and a column less", [], [], { goldNames: ["a", "b"], names: ["a"] }, 0.5],
    ["no rows on one side", [], [[1n, 2n]], ab, 0],
    ["no rows on the other side", [[1n, 2n]], [], ab, 0],
    ["no columns", [], [], { goldNames: [], names: [] }, 1],
    ["no columns on one side", [], [], { goldNames: ["a"], names: [] }, 0],
  ])("scores %s", (...[, gold, predicted, given, expected]) => {
    expect(similarity(gold, predicted, given)).toBeCloseTo(expected, 14);
  });

  it("aligns wide results by the columns of most values", () => {
    const gold = Array.from({ length: 6 }, (_, row) => [
      0n,
      BigInt(row % 2),
      BigInt(row),
      `row ${row}`,
      null,
    ]);
    const predicted = [...gold].reverse().map((row) => [...row].reverse());
    const given = { goldNames: numbered("a", 5), names: numbered("b", 5) };
    expect(similarity(gold, predicted, given)).toBe(1);
    (predicted[0] as Cell[])[4] = 7n;
    // one cell of 30
    expect(similarity(gold, predicted, given)).toBeCloseTo(29 / 30, 14);
    expect(
      similarity(gold, predicted, { goldNames: numbered("a", 5), names: numbered("a", 5) }),
    ).toBeLessThan(1);
  });

  it("is 1 only for results that the metric calls equal", () => {
    const small = numberRows(4, 5, 2);
    fc.assert(
      fc.property(small, small, fc.boolean(), (left, right, rowsOrdered) => {
        const gold = left.map((row) => row.map(BigInt));
        const predicted = right.map((row) => row.map(BigInt));
        const given = {
          goldNames: numbered("a", gold[0]?.length ?? 0),
          names: numbered("b", predicted[0]?.length ?? 0),
        };
        const score = similarity(gold, predicted, { ...given, rowsOrdered });
        expect(score).toBeGreaterThanOrEqual(0);
        expect(score).toBeLessThanOrEqual(1);
        const sql = { gold: rowsOrdered ? "SELECT a FROM t ORDER BY a" : "SELECT a FROM t" };
        const verdict = rex.judge(
          pairOf(resultOf(given.goldNames, gold), resultOf(given.names, predicted), sql),
        );
        if (score === 1) expect(verdict).toEqual({ status: "scored", score: 1 });
        const exact = (gold[0]?.length ?? 0) <= 4 && (predicted[0]?.length ?? 0) <= 4;
        if (score < 1 && exact) expect(verdict).toEqual({ status: "scored", score: 0 });
      }),
      { numRuns: 500 },
    );
  });

  it("takes the largest results that it allows, and no larger ones", () => {
    const rows = Array.from({ length: 200 }, (_, row) => Array.from({ length: 8 }, () => BigInt(row % 50)));
    const given = { goldNames: numbered("a", 8), names: numbered("b", 8) };
    expect(similarity(rows, [...rows].reverse(), given)).toBe(1);
    expect(() => similarity([...rows, rows[0] as Cell[]], rows, given)).toThrowError(
      /expected at most 200 and 8/,
    );
    expect(() => similarity([], [], { goldNames: numbered("a", 9), names: ["b"] })).toThrowError(
      /expected at most 200 and 8/,
    );
  });
});
