import { describe, expect, it } from "vitest";
import type { CellGrid } from "../../curation/cell-grid.ts";
import { hasSameRows, mixed } from "../../curation/row-multisets.ts";

/** A table from its rows. */
function grid(...rows: number[][]): CellGrid {
  const width = rows[0]?.length ?? 0;
  return {
    rows: rows.length,
    columns: Array.from({ length: width }, (_, column) =>
      Int32Array.from(rows, (row) => row[column] as number),
    ),
  };
}

describe("hasSameRows", () => {
  it("compares rows in any order, each equally often", () => {
    expect(hasSameRows(grid([1, 2], [3, 4], [1, 2]), grid([3, 4], [1, 2], [1, 2]))).toBe(true);
    expect(hasSameRows(grid([1, 2], [3, 4], [1, 2]), grid([3, 4], [1, 2], [3, 4]))).toBe(false);
    expect(hasSameRows(grid([1, 2]), grid([2, 1]))).toBe(false);
    expect(hasSameRows(grid(), grid())).toBe(true);
  });
});

describe("mixed", () => {
  it("depends on both numbers and on their order", () => {
    const seen = new Set<number>();
    for (let first = -20; first < 20; first += 1) {
      for (let second = -20; second < 20; second += 1) seen.add(mixed(first, second));
    }
    expect(seen.size).toBe(1600);
  });
});
