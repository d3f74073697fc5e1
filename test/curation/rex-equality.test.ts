import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rexEquality } from "../../curation/rex-equality.ts";
import { areEqualByTrying, cycleTable, gridOf, numberRows, oneGroup } from "./rex-tables.ts";
import type { NumberRows } from "./rex-tables.ts";

function judge(left: NumberRows, right: NumberRows, rowsOrdered: boolean): string {
  const width = left[0]?.length ?? 0;
  return rexEquality(gridOf(left, width), gridOf(right, right[0]?.length ?? 0), oneGroup(width), {
    rowsOrdered,
  });
}

/** A table and one with its columns, and its rows too, in another order. */
const turned = numberRows(12, 5, 3).chain((rows) =>
  fc
    .record({
      columns: fc.shuffledSubarray([...(rows[0] ?? []).keys()], { minLength: rows[0]?.length ?? 0 }),
      order: fc.shuffledSubarray([...rows.keys()], { minLength: rows.length }),
    })
    .map(({ columns, order }) => {
      const byColumn = rows.map((row) => columns.map((column) => row[column] as number));
      return { rows, byColumn, byBoth: order.map((row) => byColumn[row] as number[]) };
    }),
);

describe("rexEquality", () => {
  it("holds for any order of columns and rows", () => {
    fc.assert(
      fc.property(turned, ({ rows, byColumn, byBoth }) => {
        expect(judge(rows, byColumn, true)).toBe("equal");
        expect(judge(rows, byBoth, false)).toBe("equal");
        expect(judge(byBoth, rows, false)).toBe("equal");
      }),
    );
  });

  it("does not hold once a cell has a value of its own", () => {
    fc.assert(
      fc.property(turned, fc.nat(), fc.nat(), ({ rows, byBoth }, row, column) => {
        const changed = byBoth.map((cells) => [...cells]);
        const cells = changed[row % changed.length] as number[];
        cells[column % cells.length] = 99;
        expect(judge(rows, changed, false)).toBe("different");
        expect(judge(changed, rows, false)).toBe("different");
        expect(judge(rows, changed, true)).toBe("different");
      }),
    );
  });

  it("agrees with trying every order of the columns", () => {
    const two = numberRows(5, 4, 2);
    fc.assert(
      fc.property(two, two, fc.boolean(), (left, right, rowsOrdered) => {
        fc.pre(left.length === right.length && left[0]?.length === right[0]?.length);
        const expected = areEqualByTrying(left, right, rowsOrdered) ? "equal" : "different";
        expect(judge(left, right, rowsOrdered)).toBe(expected);
      }),
      { numRuns: 2000 },
    );
  });

  it("agrees with trying them where one cell changed to a value that is there already", () => {
    fc.assert(
      fc.property(turned, fc.nat(), fc.nat(), fc.nat(2), ({ rows, byBoth }, row, column, value) => {
        const changed = byBoth.map((cells) => [...cells]);
        const cells = changed[row % changed.length] as number[];
        cells[column % cells.length] = value;
        const expected = areEqualByTrying(rows, changed, false) ? "equal" : "different";
        expect(judge(rows, changed, false)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("takes repeated columns as often as they are there", () => {
    expect(judge([[1, 1, 2]], [[2, 1, 1]], false)).toBe("equal");
    expect(judge([[1, 1, 2]], [[2, 2, 1]], false)).toBe("different");
    const wide = Array.from({ length: 40 }, (_, row) => Array.from({ length: 60 }, () => row % 3));
    expect(judge(wide, [...wide].reverse(), false)).toBe("equal");
  });

  it("keeps columns to their groups", () => {
    const groups = { gold: [1, 2], predicted: [2, 1] };
    const left = gridOf([[1, 2]], 2);
    expect(rexEquality(left, gridOf([[2, 1]], 2), groups, { rowsOrdered: false })).toBe("equal");
    expect(rexEquality(left, gridOf([[1, 2]], 2), groups, { rowsOrdered: false })).toBe("different");
  });

  it("takes tables without rows or columns for equal when they have the same shape", () => {
    expect(rexEquality(gridOf([], 2), gridOf([], 2), oneGroup(2), { rowsOrdered: false })).toBe("equal");
    expect(rexEquality(gridOf([], 2), gridOf([], 1), oneGroup(2), { rowsOrdered: false })).toBe("different");
    expect(rexEquality(gridOf([], 0), gridOf([], 0), oneGroup(0), { rowsOrdered: true })).toBe("equal");
  });

  it("does not guess where the search would be too long", () => {
    const gold = cycleTable([6, 6, 6, 6, 6, 6, 6, 6]);
    expect(judge(gold, cycleTable([6, 6, 6, 6, 6, 6, 6, 3, 3]), false)).toBe("over_budget");
    expect(judge(gold, [...gold].reverse(), false)).toBe("equal");
  });
});
