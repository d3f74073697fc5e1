import type { Cell } from "../core/execution.ts";
import { cellKey } from "../io/sql-values.ts";

/** A result by columns, its cells as numbers: two of them are equal exactly when the cells are. */
export interface CellGrid {
  readonly rows: number;
  readonly columns: readonly Int32Array[];
}

/** Numbers for cells, given in the order in which they are first seen, from 0. */
export type CellNumbers = Map<string, number>;

/** Numbers the cells of a result, new ones too. Every row has `width` cells. */
export function numberCells(
  rows: readonly (readonly Cell[])[],
  width: number,
  numbers: CellNumbers,
): CellGrid {
  const columns = Array.from({ length: width }, () => new Int32Array(rows.length));
  rows.forEach((row, index) => {
    for (let column = 0; column < width; column += 1) {
      const key = cellKey(row[column] as Cell);
      let number = numbers.get(key);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(key, number);
      }
      (columns[column] as Int32Array)[index] = number;
    }
  });
  return { rows: rows.length, columns };
}

/**
 * Looks up the cells of a result of the shape of `like`. `undefined`, without reading on, when the number of
 * rows is another or a cell has no number.
 */
export function lookUpCells(
  rows: Iterable<readonly Cell[]>,
  like: CellGrid,
  numbers: CellNumbers,
): CellGrid | undefined {
  const columns = like.columns.map(() => new Int32Array(like.rows));
  let count = 0;
  for (const row of rows) {
    if (count === like.rows) return undefined;
    for (let column = 0; column < columns.length; column += 1) {
      const number = numbers.get(cellKey(row[column] as Cell));
      if (number === undefined) return undefined;
      (columns[column] as Int32Array)[count] = number;
    }
    count += 1;
  }
  return count === like.rows ? { rows: count, columns } : undefined;
}
