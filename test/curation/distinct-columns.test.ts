import { describe, expect, it } from "vitest";
import type { CellGrid } from "../../curation/cell-grid.ts";
import { distinctColumns, haveSameColumns } from "../../curation/distinct-columns.ts";

function grid(...columns: number[][]): CellGrid {
  return { rows: columns[0]?.length ?? 0, columns: columns.map((column) => Int32Array.from(column)) };
}

function compare(left: number[][], right: number[][], groups = left.map(() => 0)): boolean {
  return haveSameColumns(distinctColumns(grid(...left), groups), distinctColumns(grid(...right), groups));
}

describe("distinctColumns", () => {
  it("counts columns that repeat one of their group", () => {
    const table = grid([1, 2], [3, 3], [1, 2], [1, 2]);
    expect(distinctColumns(table, [0, 0, 0, 5])).toEqual({
      rows: 2,
      columns: [Int32Array.of(1, 2), Int32Array.of(3, 3), Int32Array.of(1, 2)],
      groups: [0, 0, 5],
      repeats: [2, 1, 1],
    });
  });
});

describe("haveSameColumns", () => {
  const rising = [1, 2];
  const falling = [2, 1];

  it("takes columns in any order within their group, rows in theirs", () => {
    expect(compare([rising, falling], [falling, rising])).toBe(true);
    expect(compare([rising, falling], [falling, rising], [1, 2])).toBe(false);
    expect(compare([rising], [falling])).toBe(false);
  });

  it("counts repeats", () => {
    expect(compare([rising, rising, falling], [falling, rising, rising])).toBe(true);
    expect(compare([rising, rising, falling], [falling, falling, rising])).toBe(false);
    expect(compare([rising, falling], [rising, rising])).toBe(false);
  });
});
