import type { Rows } from "../core/stage.ts";

/** Rows that follow one another for one example, as one list each. */
export async function* rowGroups<T extends { readonly exampleId: string }>(
  rows: Rows<T>,
): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const row of rows()) {
    if (group[0] !== undefined && group[0].exampleId !== row.exampleId) {
      yield group;
      group = [];
    }
    group.push(row);
  }
  if (group.length > 0) yield group;
}
