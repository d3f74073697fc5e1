import type { CellGrid } from "./cell-grid.ts";

/**
 * The columns of a table without those that repeat one of their own group. A bijection that makes two tables
 * equal maps such repeats onto such repeats, so that how many there are is a property of the column.
 */
export interface DistinctColumns extends CellGrid {
  /** The group of each column: it may be matched with columns of this group. */
  readonly groups: readonly number[];
  /** How often each column occurs. */
  readonly repeats: readonly number[];
}

/** Drops the columns of a table that are equal, cell by cell, to an earlier one of their group. */
export function distinctColumns(table: CellGrid, groups: readonly number[]): DistinctColumns {
  const columns: Int32Array[] = [];
  const groupOf: number[] = [];
  const repeats: number[] = [];
  const places = new Map<string, number[]>();
  table.columns.forEach((column, index) => {
    const group = groups[index] as number;
    const key = `${group} ${sequenceHash(column)}`;
    const bucket = placesAt(places, key);
    const same = bucket.find((place) => isSameSequence(columns[place] as Int32Array, column));
    if (same !== undefined) {
      repeats[same] = (repeats[same] as number) + 1;
      return;
    }
    bucket.push(columns.length);
    columns.push(column);
    groupOf.push(group);
    repeats.push(1);
  });
  return { rows: table.rows, columns, groups: groupOf, repeats };
}

/** Whether both have the same columns, cell by cell, in some order within their groups. */
export function haveSameColumns(left: DistinctColumns, right: DistinctColumns): boolean {
  if (left.columns.length !== right.columns.length) return false;
  const keyOf = (table: DistinctColumns, index: number): string =>
    `${table.groups[index]} ${table.repeats[index]} ${sequenceHash(table.columns[index] as Int32Array)}`;
  const places = new Map<string, number[]>();
  left.columns.forEach((_, index) => placesAt(places, keyOf(left, index)).push(index));
  return right.columns.every((column, index) =>
    placesAt(places, keyOf(right, index)).some((place) =>
      isSameSequence(left.columns[place] as Int32Array, column),
    ),
  );
}

function placesAt(places: Map<string, number[]>, key: string): number[] {
  let found = places.get(key);
  if (found === undefined) {
    found = [];
    places.set(key, found);
  }
  return found;
}

function sequenceHash(column: Int32Array): number {
  let hash = 0;
  for (const cell of column) hash = (Math.imul(hash, 31) + cell) | 0;
  return hash;
}

function isSameSequence(left: Int32Array, right: Int32Array): boolean {
  for (let index = 0; index < left.length; index += 1) if (left[index] !== right[index]) return false;
  return true;
}
