import type { CellGrid } from "./cell-grid.ts";
import { mixed } from "./mixed.ts";

const NONE = -1;

/** Whether two tables of one shape have the same rows, each equally often, in any order; exact. */
export function hasSameRows(left: CellGrid, right: CellGrid): boolean {
  const known = new DistinctRows(left);
  const counts = new Int32Array(left.rows);
  for (let row = 0; row < left.rows; row += 1) {
    const place = known.placeOf(row);
    counts[place] = (counts[place] as number) + 1;
  }
  const hashes = rowHashes(right);
  for (let row = 0; row < right.rows; row += 1) {
    const place = known.find(right, row, hashes[row] as number);
    if (place === NONE || counts[place] === 0) return false;
    counts[place] = (counts[place] as number) - 1;
  }
  return true;
}

/** The first of every set of equal rows of a table, by hash. */
class DistinctRows {
  readonly #table: CellGrid;
  readonly #hashes: Int32Array;
  /** The last row whose hash ends in the slot's bits, and the one before it for each row. */
  readonly #heads: Int32Array;
  readonly #next: Int32Array;

  constructor(table: CellGrid) {
    this.#table = table;
    this.#hashes = rowHashes(table);
    this.#heads = new Int32Array(slotsFor(table.rows)).fill(NONE);
    this.#next = new Int32Array(table.rows);
  }

  /** The row equal to one of the table's own, itself where it is the first. */
  placeOf(row: number): number {
    const hash = this.#hashes[row] as number;
    const known = this.find(this.#table, row, hash);
    if (known !== NONE) return known;
    const slot = hash & (this.#heads.length - 1);
    this.#next[row] = this.#heads[slot] as number;
    this.#heads[slot] = row;
    return row;
  }

  /** The row equal to one of another table, or `NONE`. */
  find(table: CellGrid, row: number, hash: number): number {
    let place = this.#heads[hash & (this.#heads.length - 1)] as number;
    while (place !== NONE) {
      if (this.#hashes[place] === hash && isSameRow(table, row, this.#table, place)) return place;
      place = this.#next[place] as number;
    }
    return NONE;
  }
}

/** The power of two that is at least twice a number of rows. */
function slotsFor(rows: number): number {
  let slots = 2;
  while (slots < 2 * rows) slots *= 2;
  return slots;
}

function isSameRow(left: CellGrid, leftRow: number, right: CellGrid, rightRow: number): boolean {
  for (let column = 0; column < left.columns.length; column += 1) {
    if (left.columns[column]?.[leftRow] !== right.columns[column]?.[rightRow]) return false;
  }
  return true;
}

function rowHashes({ rows, columns }: CellGrid): Int32Array {
  const hashes = new Int32Array(rows);
  for (const column of columns) {
    for (let row = 0; row < rows; row += 1) {
      hashes[row] = mixed(hashes[row] as number, column[row] as number);
    }
  }
  return hashes;
}
