/** Schema items that were linked: tables, and columns with their tables; names as one schema spells them. */
export interface LinkedItems {
  readonly tables: readonly string[];
  readonly columns: readonly { readonly table: string; readonly column: string }[];
}

/** How linked items agree with gold's; each number is from 0 to 1. */
export interface LinkingScores {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
  /** Whether every item of gold was linked. */
  readonly isComplete: boolean;
  /** Whether the items are the same. */
  readonly isExact: boolean;
}

/**
 * Precision, recall and F1 of linked items against gold's. Tables and columns are items alike, so a gold that reads a
 * table and no column, such as one of `count(*)`, has items. An item counts once, the case of its names does not. A
 * table is an item wherever one of its columns is. Where nothing was linked precision is 1, where gold has nothing
 * recall is 1: two empty sets agree, and one alone has F1 0.
 *
 * @paper DualSQL: linking precision, recall, F1 and complete recall; the rule for empty sets is not in the paper
 */
export function linkingScores(gold: LinkedItems, linked: LinkedItems): LinkingScores {
  const expected = itemsOf(gold);
  const found = itemsOf(linked);
  let shared = 0;
  for (const item of found) if (expected.has(item)) shared += 1;
  const total = expected.size + found.size;
  return {
    precision: found.size === 0 ? 1 : shared / found.size,
    recall: expected.size === 0 ? 1 : shared / expected.size,
    f1: total === 0 ? 1 : (2 * shared) / total,
    isComplete: shared === expected.size,
    isExact: 2 * shared === total,
  };
}

function itemsOf({ tables, columns }: LinkedItems): Set<string> {
  const items = new Set<string>();
  for (const table of tables) items.add(JSON.stringify([table.toLowerCase()]));
  for (const { table, column } of columns) {
    items.add(JSON.stringify([table.toLowerCase()]));
    items.add(JSON.stringify([table.toLowerCase(), column.toLowerCase()]));
  }
  return items;
}
