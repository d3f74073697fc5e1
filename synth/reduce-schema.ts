import type { Database, ForeignKey } from "../core/database.ts";
import type { LinkedTable } from "../core/trajectory.ts";
import { foldName } from "../sql/fold-name.ts";

/**
 * A database's row with only the tables and columns that a linker found, in the schema's order; names are
 * compared without ASCII case, unknown ones pass over. Primary key columns of a kept table stay, and so do
 * both sides of a foreign key between kept tables, so that they can be joined. Row counts and example values
 * follow. No table found leaves none.
 * @paper DualSQL, the generator's linked schema; that keys stay is not in the paper
 */
export function reduceSchema(database: Database, links: readonly LinkedTable[]): Database {
  const { schema, rowCounts, values, describedForeignKeys } = database;
  const found = new Map<string, Set<string>>();
  for (const { table, columns } of links) {
    const kept = found.get(foldName(table)) ?? new Set();
    for (const column of columns) kept.add(foldName(column));
    found.set(foldName(table), kept);
  }
  const isBetweenKept = ({ table, referencedTable }: ForeignKey): boolean =>
    found.has(foldName(table)) && found.has(foldName(referencedTable));
  const foreignKeys = schema.foreignKeys.filter(isBetweenKept);
  for (const { table, column, referencedTable, referencedColumn } of foreignKeys) {
    found.get(foldName(table))?.add(foldName(column));
    found.get(foldName(referencedTable))?.add(foldName(referencedColumn));
  }
  const places = schema.tables.flatMap(({ name }, place) => (found.has(foldName(name)) ? [place] : []));
  const tables = places.map((place) => {
    const table = schema.tables[place] as (typeof schema.tables)[number];
    const kept = found.get(foldName(table.name));
    const columns = table.columns.filter(
      ({ name, primaryKey }) => primaryKey > 0 || kept?.has(foldName(name)) === true,
    );
    return { ...table, columns };
  });
  const shown = new Set(
    tables.flatMap(({ name, columns }) => columns.map((column) => columnKey(name, column.name))),
  );
  return {
    ...database,
    schema: { ...schema, tables, foreignKeys },
    rowCounts: rowCounts.length === 0 ? [] : places.map((place) => rowCounts[place] ?? 0),
    values: values.filter(({ table, column }) => shown.has(columnKey(table, column))),
    describedForeignKeys: describedForeignKeys?.filter(isBetweenKept) ?? null,
  };
}

function columnKey(table: string, column: string): string {
  return JSON.stringify([foldName(table), foldName(column)]);
}
