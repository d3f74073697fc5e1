import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CellGrid } from "../../curation/cell-grid.ts";
import { hasSameRows } from "../../curation/row-multisets.ts";

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

  it("agrees with sorting the rows", () => {
    const rows = fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { minLength: 1, maxLength: 8 });
    const sorted = (list: readonly number[][]): string[] => list.map((row) => row.join(" ")).sort();
    fc.assert(
      fc.property(rows, rows, (left, right) => {
        fc.pre(left.length === right.length);
        const expected = sorted(left).join() === sorted(right).join();
        expect(hasSameRows(grid(...left), grid(...right))).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
