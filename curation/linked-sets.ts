import type { LinkedTable } from "../core/trajectory.ts";

/** Linked items as sets: names in lower case. `items` are tables and columns together. */
export interface LinkedSets {
  readonly tables: ReadonlySet<string>;
  readonly columns: ReadonlySet<string>;
  readonly items: ReadonlySet<string>;
}

/** Tables and columns of links; each counts once, the case of its name does not. */
export function linkedSets(links: readonly LinkedTable[]): LinkedSets {
  const tables = new Set<string>();
  const columns = new Set<string>();
  for (const { table, columns: names } of links) {
    tables.add(table.toLowerCase());
    for (const name of names) columns.add(JSON.stringify([table.toLowerCase(), name.toLowerCase()]));
  }
  return { tables, columns, items: new Set([...tables, ...columns]) };
}

/** How many elements two sets share. */
export function sharedCount(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0;
  for (const item of left) if (right.has(item)) shared += 1;
  return shared;
}

/** F1 of two sets, from 0 to 1; two empty ones agree. */
export function setF1(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const total = left.size + right.size;
  return total === 0 ? 1 : (2 * sharedCount(left, right)) / total;
}
