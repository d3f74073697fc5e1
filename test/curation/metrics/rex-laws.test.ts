import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Cell } from "../../../core/execution.ts";
import rex from "../../../curation/metrics/rex.ts";
import { cellKey } from "../../../io/sql-values.ts";
import { pairOf, unnamed } from "./judged-pair.ts";

type Rows = readonly (readonly Cell[])[];

/** Cells of every kind but invalid text; few of each, so that rows and columns repeat. */
const cell: fc.Arbitrary<Cell> = fc.oneof(
  fc.constantFrom<Cell>(null, 0n, 1n, -1n, 1n << 40n, 1n << 62n, 0.5, -0, 2 ** 31, 1e300, "", "1", "a", "A"),
  fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
  fc.double({ noNaN: true }),
  fc.string(),
  fc.uint8Array({ maxLength: 3 }).map((bytes) => new Uint8Array(bytes)),
);

const table: fc.Arbitrary<Rows> = fc
  .integer({ min: 1, max: 6 })
  .chain((width) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 20 }),
  );

const turned = table.chain((rows) =>
  fc
    .record({
      columns: fc.shuffledSubarray([...(rows[0] ?? []).keys()], { minLength: rows[0]?.length ?? 0 }),
      order: fc.shuffledSubarray([...rows.keys()], { minLength: rows.length }),
    })
    .map(({ columns, order }) => ({
      rows,
      byColumn: rows.map((row) => columns.map((column) => row[column] as Cell)),
      byBoth: order.map((row) => columns.map((column) => rows[row]?.[column] as Cell)),
    })),
);

const ORDERED = { gold: "SELECT a FROM t ORDER BY a" };

describe("rex", () => {
  it("holds for every permutation of columns and, without an order, of rows", () => {
    fc.assert(
      fc.property(turned, ({ rows, byColumn, byBoth }) => {
        const scored = { status: "scored", score: 1 };
        expect(rex.judge(pairOf(unnamed(rows), unnamed(byBoth)))).toEqual(scored);
        expect(rex.judge(pairOf(unnamed(byBoth), unnamed(rows)))).toEqual(scored);
        expect(rex.judge(pairOf(unnamed(rows), unnamed(byColumn), ORDERED))).toEqual(scored);
        expect(rex.judge(pairOf(unnamed(rows), unnamed(byBoth, "too_large")))).toEqual(scored);
      }),
    );
  });

  it("holds for no table with one cell changed to an unequal value, one that is there already too", () => {
    fc.assert(
      fc.property(turned, fc.nat(), fc.nat(), cell, ({ rows, byColumn, byBoth }, row, column, value) => {
        const changed = (from: Rows): Rows => {
          const cells = from[row % from.length] as readonly Cell[];
          const place = column % cells.length;
          fc.pre(cellKey(cells[place] as Cell) !== cellKey(value));
          return from.with(row % from.length, cells.with(place, value));
        };
        const scored = { status: "scored", score: 0 };
        expect(rex.judge(pairOf(unnamed(rows), unnamed(changed(byBoth))))).toEqual(scored);
        expect(rex.judge(pairOf(unnamed(changed(byBoth)), unnamed(rows)))).toEqual(scored);
        expect(rex.judge(pairOf(unnamed(rows), unnamed(changed(byColumn)), ORDERED))).toEqual(scored);
        expect(rex.judge(pairOf(unnamed(changed(byBoth)), unnamed(rows, "too_large")))).toEqual(scored);
      }),
    );
  });

  it("does both for results of thousands of rows", () => {
    const rowOf = (index: number): Cell[] => [
      BigInt(index % 7),
      `text ${index % 1_500}`,
      index / 3,
      index % 5 === 0 ? null : BigInt(index % 11),
    ];
    const rows = Array.from({ length: 3_000 }, (_, index) => rowOf(index));
    const other = Array.from({ length: 3_000 }, (_, index) => rowOf((index * 1_001) % 3_000).reverse());
    const gold = unnamed(rows);
    expect(rex.judge(pairOf(gold, unnamed(other)))).toEqual({ status: "scored", score: 1 });
    for (const [row, column] of [
      [0, 3],
      [1_023, 1],
      [1_700, 2],
      [2_999, 0],
    ] as const) {
      const cells = other[row] as Cell[];
      const there = other[(row + 1) % 3_000]?.[column] as Cell;
      const value = there === cells[column] ? null : there;
      const changed = other.with(row, cells.with(column, value));
      expect(rex.judge(pairOf(gold, unnamed(changed)))).toEqual({ status: "scored", score: 0 });
    }
  });
});
