import * as fc from "fast-check";
import type { CellGrid } from "../../curation/cell-grid.ts";

/** A table of small numbers by rows. */
export type NumberRows = readonly (readonly number[])[];

export function gridOf(rows: NumberRows, width: number): CellGrid {
  const columns = Array.from({ length: width }, (_, column) =>
    Int32Array.from(rows, (row) => row[column] as number),
  );
  return { rows: rows.length, columns };
}

/** The groups of columns that are all matched by content. */
export function oneGroup(width: number): { gold: number[]; predicted: number[] } {
  const groups = Array.from({ length: width }, () => 0);
  return { gold: groups, predicted: groups };
}

/** Tables of few values, so that rows and columns repeat. */
export const numberRows = (maxRows: number, maxWidth: number, values: number): fc.Arbitrary<NumberRows> =>
  fc.integer({ min: 1, max: maxWidth }).chain((width) =>
    fc.array(fc.array(fc.integer({ min: 0, max: values - 1 }), { minLength: width, maxLength: width }), {
      minLength: 1,
      maxLength: maxRows,
    }),
  );

export function permutationsOf(count: number): number[][] {
  if (count === 0) return [[]];
  return permutationsOf(count - 1).flatMap((rest) =>
    Array.from({ length: count }, (_, place) => [...rest.slice(0, place), count - 1, ...rest.slice(place)]),
  );
}

/** Whether some order of the columns makes the rows equal, found by trying all. */
export function areEqualByTrying(left: NumberRows, right: NumberRows, rowsOrdered: boolean): boolean {
  const textOf = (rows: NumberRows): string => {
    const texts = rows.map((row) => row.join(" "));
    return (rowsOrdered ? texts : texts.sort()).join("\n");
  };
  const wanted = textOf(left);
  return permutationsOf(right[0]?.length ?? 0).some(
    (order) => textOf(right.map((row) => order.map((column) => row[column] as number))) === wanted,
  );
}

/**
 * The edges of cycles as a table: a row an edge, a column a vertex, 1 where they meet. Signatures cannot tell
 * cycles of different lengths apart.
 */
export function cycleTable(lengths: readonly number[]): NumberRows {
  const vertices = lengths.reduce((sum, length) => sum + length, 0);
  let first = 0;
  return lengths.flatMap((length) => {
    const start = first;
    first += length;
    return Array.from({ length }, (_, edge) => {
      const row = Array.from({ length: vertices }, () => 0);
      row[start + edge] = 1;
      row[start + ((edge + 1) % length)] = 1;
      return row;
    });
  });
}
