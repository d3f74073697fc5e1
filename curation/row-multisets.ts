import type { CellGrid } from "./cell-grid.ts";

const NONE = -1;

/** A number of 32 bits that depends on two, and on which is which. */
export function mixed(first: number, second: number): number {
  let hash = Math.imul(first ^ 0x2c1b3c6d, 0x9e3779b1) ^ Math.imul(second + 0x165667b1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return hash ^ (hash >>> 15);
}

/** Whether two tables of one shape have the same rows, each equally often, in any order; exact. */
export function hasSameRows(left: CellGrid, right: CellGrid): boolean {
  const hashes = rowHashes(left);
  const heads = new Map<number, number>();
  const next = new Int32Array(left.rows);
  const counts = new Int32Array(left.rows);
  for (let row = 0; row < left.rows; row += 1) {
    const hash = hashes[row] as number;
    const head = heads.get(hash) ?? NONE;
    const same = findRow(left, row, { table: left, head, next });
    if (same === NONE) {
      next[row] = head;
      heads.set(hash, row);
      counts[row] = 1;
    } else counts[same] = (counts[same] as number) + 1;
  }
  const rightHashes = rowHashes(right);
  for (let row = 0; row < right.rows; row += 1) {
    const head = heads.get(rightHashes[row] as number) ?? NONE;
    const same = findRow(right, row, { table: left, head, next });
    if (same === NONE || counts[same] === 0) return false;
    counts[same] = (counts[same] as number) - 1;
  }
  return true;
}

/** Rows of a table that share a hash, as a list that starts at `head`. */
interface Chain {
  readonly table: CellGrid;
  readonly head: number;
  readonly next: Int32Array;
}

/** The row of a chain that equals `row` of `table`, or `NONE`. */
function findRow(table: CellGrid, row: number, chain: Chain): number {
  for (let place = chain.head; place !== NONE; place = chain.next[place] as number) {
    if (isSameRow(table, row, chain.table, place)) return place;
  }
  return NONE;
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
