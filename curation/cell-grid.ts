import type { Cell } from "../core/execution.ts";
import { cellKey } from "../io/sql-values.ts";

type Row = readonly Cell[];

/** A result by columns, its cells as numbers: two of them are equal exactly when the cells are. */
export interface CellGrid {
  readonly rows: number;
  readonly columns: readonly Int32Array[];
}

/**
 * Numbers for cells; equal cells, by {@link cellKey}, have one. Integers of up to 30 bits have theirs
 * beforehand, an even one, all others get odd ones in the order in which they come.
 */
export class CellNumbers {
  readonly #ofValues = new Map<string | number, number>();
  /** By cell key, which costs more to make: integers beyond 53 bits, blobs, invalid text. */
  readonly #ofOthers = new Map<string, number>();

  /** The number of a cell, a new one where it has none. */
  numberOf(cell: Cell): number {
    const known = this.find(cell);
    if (known !== undefined) return known;
    const number = 2 * (this.#ofValues.size + this.#ofOthers.size) + FIRST_NEW;
    const value = plainValue(cell);
    if (value === undefined) this.#ofOthers.set(cellKey(cell), number);
    else this.#ofValues.set(value, number);
    return number;
  }

  /** The number of a cell; `undefined` where it has none. */
  find(cell: Cell): number | undefined {
    if (cell === null) return NULL_NUMBER;
    const value = plainValue(cell);
    if (value === undefined) return this.#ofOthers.get(cellKey(cell));
    if (typeof value === "number" && (value << 1) >> 1 === value) return value << 1;
    return this.#ofValues.get(value);
  }
}

const NULL_NUMBER = 1;
const FIRST_NEW = 3;

const LARGEST = BigInt(Number.MAX_SAFE_INTEGER);

/** A value that is the same, for a map, exactly where cells are equal; `undefined` for a cell that has none. */
function plainValue(cell: Cell): string | number | undefined {
  switch (typeof cell) {
    case "string":
      return cell;
    case "bigint":
      return cell <= LARGEST && cell >= -LARGEST ? Number(cell) : undefined;
    case "number":
      return Number.isInteger(cell) && !Number.isSafeInteger(cell) ? undefined : cell;
    default:
      return undefined;
  }
}

/** Numbers the cells of a result, new ones too. Every row has `width` cells. */
export function numberCells(rows: readonly Row[], width: number, numbers: CellNumbers): CellGrid {
  const columns = Array.from({ length: width }, () => new Int32Array(rows.length));
  rows.forEach((row, index) => {
    for (let column = 0; column < width; column += 1) {
      (columns[column] as Int32Array)[index] = numbers.numberOf(row[column] as Cell);
    }
  });
  return { rows: rows.length, columns };
}

/**
 * Looks up the cells of a result of the width of `like`. `undefined`, without reading on, when it has another
 * number of rows or a cell has no number.
 */
export function findCells(rows: Iterable<Row>, like: CellGrid, numbers: CellNumbers): CellGrid | undefined {
  const columns = like.columns.map(() => new Int32Array(like.rows));
  let count = 0;
  for (const row of rows) {
    if (count === like.rows) return undefined;
    for (let column = 0; column < columns.length; column += 1) {
      const number = numbers.find(row[column] as Cell);
      if (number === undefined) return undefined;
      (columns[column] as Int32Array)[count] = number;
    }
    count += 1;
  }
  return count === like.rows ? { rows: count, columns } : undefined;
}
