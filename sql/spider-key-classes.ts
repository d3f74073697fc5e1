import type { DatabaseSchema, ForeignKey } from "../core/database.ts";

/** Column to the column that stands for its class, both as `table.column` in lower case. */
export type SpiderKeyClasses = ReadonlyMap<string, string>;

/**
 * The classes of columns that foreign keys make equal for Spider's exact match. In the order of the keys, both ends of
 * a key join the first class that has one of them, else a new one: classes are never merged, so a column can be in
 * several, of which the last counts. The column that comes first in the schema stands for its class. A key whose ends
 * are not both columns of the schema is passed over.
 *
 * @paper Spider (Yu et al. 2018), official evaluation: foreign key map
 */
export function spiderKeyClasses(schema: Pick<DatabaseSchema, "tables" | "foreignKeys">): SpiderKeyClasses {
  const columns = schema.tables.flatMap((table) =>
    table.columns.map((column) => columnName(table.name, column.name)),
  );
  const places = new Map<string, number>();
  columns.forEach((column, place) => {
    if (!places.has(column)) places.set(column, place);
  });
  const classes: Set<number>[] = [];
  for (const key of schema.foreignKeys) {
    const ends = placesOf(key, places);
    if (ends === undefined) continue;
    const known = classes.find((members) => ends.some((end) => members.has(end)));
    const members = known ?? new Set<number>();
    if (known === undefined) classes.push(members);
    for (const end of ends) members.add(end);
  }
  const representatives = new Map<string, string>();
  for (const members of classes) {
    const representative = columns[Math.min(...members)] as string;
    for (const member of members) representatives.set(columns[member] as string, representative);
  }
  return representatives;
}

function placesOf(key: ForeignKey, places: ReadonlyMap<string, number>): readonly number[] | undefined {
  const from = places.get(columnName(key.table, key.column));
  const to = places.get(columnName(key.referencedTable, key.referencedColumn));
  return from === undefined || to === undefined ? undefined : [from, to];
}

function columnName(table: string, column: string): string {
  return `${table}.${column}`.toLowerCase();
}
