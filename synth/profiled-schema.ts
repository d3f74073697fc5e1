import type { ColumnSchema, Database, TableSchema } from "../core/database.ts";
import type { ColumnProfile, DatabaseProfile, TableProfile } from "../core/database-profile.ts";
import type { ToolContext } from "../core/tool.ts";
import { isSameName } from "./schema-lookup.ts";
import type { Checked } from "./tool-arguments.ts";

/** A column with what is known of it; `profile` is `null` where its table could not be read. */
export interface ProfiledColumn {
  readonly schema: ColumnSchema;
  readonly profile: ColumnProfile | null;
  /** Of the profile, or else of the dataset, in one line; empty when there is none. */
  readonly description: string;
}

/** A table with what is known of it; `rows` is `null` where it could not be read. */
export interface ProfiledTable {
  readonly schema: TableSchema;
  readonly rows: number | null;
  readonly description: string;
  readonly columns: readonly ProfiledColumn[];
}

/** The profile of the database, or why a tool that needs it cannot answer. */
export function knownProfile({ profile, database }: ToolContext): Checked<DatabaseProfile> {
  if (profile !== null) return { ok: true, value: profile };
  return { ok: false, problem: `No profile was made of the database ${database.databaseId}.` };
}

/** The tables of a database, in its order, with what the profile says of them. */
export function profiledTables({ schema }: Database, profile: DatabaseProfile): readonly ProfiledTable[] {
  return schema.tables.map((table) => profiledTable(table, profile));
}

/** A table with what the profile says of it. */
export function profiledTable(schema: TableSchema, { tables }: DatabaseProfile): ProfiledTable {
  const table = named(tables, schema.name);
  return {
    schema,
    rows: table?.rows ?? null,
    description: firstText(table?.description, schema.comment),
    columns: schema.columns.map((column) => profiledColumn(column, table)),
  };
}

function profiledColumn(schema: ColumnSchema, table: TableProfile | undefined): ProfiledColumn {
  const profile = table === undefined ? undefined : named(table.columns, schema.name);
  return {
    schema,
    profile: profile ?? null,
    description: firstText(profile?.description, schema.comment),
  };
}

function named<T extends { readonly name: string }>(items: readonly T[], name: string): T | undefined {
  return items.find((item) => item.name === name) ?? items.find((item) => isSameName(item.name, name));
}

function firstText(first: string | undefined, second: string): string {
  return first === undefined || first === "" ? second : first;
}
