import path from "node:path";
import { z } from "zod";
import type { ColumnSchema, DatabaseSchema, ForeignKey, TableSchema } from "../core/database.ts";
import type { LoadedSchema, SourceFile } from "../core/loader.ts";
import { presentFiles, requireFiles, sourceFile } from "./source-files.ts";
import { problemsOf, readDatasetRows } from "./question-rows.ts";

const NamedColumn = z.tuple([z.int(), z.string()]);

/** One database of a `tables.json`, as Spider, BIRD and SynSQL publish it. */
const TablesEntry = z.object({
  db_id: z.string().min(1),
  table_names_original: z.array(z.string()),
  table_names: z.array(z.string()).default([]),
  column_names_original: z.array(NamedColumn),
  column_names: z.array(NamedColumn).default([]),
  column_types: z.array(z.string()).default([]),
  primary_keys: z.array(z.union([z.int(), z.array(z.int())])).default([]),
  foreign_keys: z.array(z.tuple([z.int(), z.int()])).default([]),
});
type TablesEntry = z.infer<typeof TablesEntry>;

/**
 * The schemas of a tables file, in its order; an absent file that is not required has none. The comment of
 * a table or column is its natural-language name where that differs from the original one.
 * An entry that does not fit stays as a database without tables and a note.
 * @throws DATASET_FILE_MISSING, DATASET_FILE_MALFORMED.
 */
export async function readTables(root: string, file: SourceFile): Promise<LoadedSchema[]> {
  await requireFiles(root, [file]);
  if ((await presentFiles([file])).length === 0) return [];
  const schemas: LoadedSchema[] = [];
  for await (const { value, index } of readDatasetRows(file)) {
    const parsed = TablesEntry.safeParse(value);
    schemas.push(parsed.success ? schemaOf(parsed.data) : unreadable(value, index, problemsOf(parsed.error)));
  }
  return schemas;
}

/** The schemas of a tables file by its path. Throws as {@link readTables}. */
export async function readTablesFile(file: string): Promise<DatabaseSchema[]> {
  const root = path.dirname(file);
  const loaded = await readTables(root, sourceFile(root, path.basename(file), "tables", true));
  return loaded.map((one) => one.schema);
}

/** A database that the tables file names but does not describe: without tables, with a note. */
function unreadable(value: unknown, index: number, problems: string): LoadedSchema {
  const named = z.object({ db_id: z.string().min(1) }).safeParse(value);
  const databaseId = named.success ? named.data.db_id : `[${index}]`;
  return {
    schema: { databaseId, tables: [], foreignKeys: [] },
    notes: [`the tables file's entry ${index} does not fit: ${problems}`],
  };
}

function schemaOf(entry: TablesEntry): LoadedSchema {
  const notes: string[] = [];
  const keyPositions = primaryKeyPositions(entry);
  const tables: TableSchema[] = entry.table_names_original.map((name, table) => ({
    name,
    comment: naturalName(entry.table_names[table], name),
    columns: columnsOf(entry, table, keyPositions),
  }));
  const foreignKeys: ForeignKey[] = [];
  for (const [from, to] of entry.foreign_keys) {
    const key = foreignKey(entry, from, to);
    if (key === null) notes.push(`the foreign key [${from}, ${to}] names no column`);
    else foreignKeys.push(key);
  }
  return { schema: { databaseId: entry.db_id, tables, foreignKeys }, notes };
}

function columnsOf(entry: TablesEntry, table: number, keys: ReadonlyMap<number, number>): ColumnSchema[] {
  const columns: ColumnSchema[] = [];
  entry.column_names_original.forEach(([owner, name], index) => {
    if (owner !== table) return;
    columns.push({
      name,
      type: entry.column_types[index] ?? "",
      comment: naturalName(entry.column_names[index]?.[1], name),
      primaryKey: keys.get(index) ?? 0,
    });
  });
  return columns;
}

/** Column index to its 1-based place in its table's key: a list is one key, single numbers of one table are another. */
function primaryKeyPositions(entry: TablesEntry): Map<number, number> {
  const positions = new Map<number, number>();
  const members = new Map<number, number>();
  for (const column of entry.primary_keys.flat()) {
    const table = entry.column_names_original[column]?.[0];
    if (table === undefined || table < 0 || positions.has(column)) continue;
    const place = (members.get(table) ?? 0) + 1;
    members.set(table, place);
    positions.set(column, place);
  }
  return positions;
}

function foreignKey(entry: TablesEntry, from: number, to: number): ForeignKey | null {
  const source = columnAt(entry, from);
  const target = columnAt(entry, to);
  if (source === null || target === null) return null;
  return {
    table: source.table,
    column: source.column,
    referencedTable: target.table,
    referencedColumn: target.column,
  };
}

function columnAt(entry: TablesEntry, index: number): { table: string; column: string } | null {
  const named = entry.column_names_original[index];
  const table = named === undefined ? undefined : entry.table_names_original[named[0]];
  return named === undefined || table === undefined ? null : { table, column: named[1] };
}

function naturalName(natural: string | undefined, original: string): string {
  const line = (natural ?? "").replaceAll(/\s+/g, " ").trim();
  return line === original ? "" : line;
}

/** The schemas of those databases alone, in the order of the tables file. */
export function schemasOf(
  loaded: readonly LoadedSchema[],
  databaseIds: ReadonlySet<string>,
): DatabaseSchema[] {
  return loaded.map((one) => one.schema).filter((schema) => databaseIds.has(schema.databaseId));
}
