import type { ColumnSchema, Database, ForeignKey, TableSchema } from "../core/database.ts";
import type { ColumnProfile, DatabaseProfile } from "../core/database-profile.ts";
import type { SchemaExtras } from "../core/schema-dialect.ts";
import type { ShownCell } from "../core/sql-runner.ts";
import { columnExamples, type ColumnExamples } from "./column-examples.ts";
import { commentText, cutText, sameName, visibleText, withoutTags } from "./schema-text.ts";

/** Examples of a column, and how many it may have where values were retrieved for it. */
const MAX_EXAMPLES = 3;
const MAX_WITH_RETRIEVED = 6;
/** In characters: with an example longer than this one the first stands alone, with one longer than that none. */
const LONG_EXAMPLE = 20;
const TOO_LONG_EXAMPLE = 50;
/** In UTF-16 units, before the mark that says that something was cut. */
const MAX_VALUE_LENGTH = 50;
const MAX_NAME_LENGTH = 256;
const MAX_TYPE_LENGTH = 60;
const MAX_COMMENT_LENGTH = 240;
const DATE_TYPES: ReadonlySet<string> = new Set(["DATE", "TIME", "DATETIME", "TIMESTAMP"]);

/**
 * A schema as M-Schema, with what a profile says where `extras` has one. Without it: a line per column with
 * name, type, comment, primary key and examples, then the foreign keys. With it: rows of each table, foreign
 * key and NULL flags, statistics and frequent values of each column, and inferred foreign keys.
 */
export function mSchemaText(database: Database, { profile, retrieved }: SchemaExtras): string {
  const { tables } = database.schema;
  const examplesOf = columnExamples(database, retrieved);
  const keys = database.schema.foreignKeys.filter((key) => isShown(key, tables));
  const lines = [`【DB_ID】 ${plainText(database.databaseId)}`, "【Schema】"];
  for (const table of tables) {
    const known = profile?.tables.find(({ name }) => sameName(name, table.name)) ?? null;
    const comment = commentText(table.comment || (known?.description ?? ""), MAX_COMMENT_LENGTH);
    const heading = [`# Table: ${nameText(table.name)}`];
    if (comment !== "") heading.push(comment);
    if (known !== null) heading.push(`${known.rows} rows`);
    const columns = table.columns.map((column) =>
      columnLine(column, {
        examples: examplesOf(table.name, column.name),
        profile: known?.columns.find(({ name }) => sameName(name, column.name)) ?? null,
        isForeignKey: keys.some(
          (key) => sameName(key.table, table.name) && sameName(key.column, column.name),
        ),
      }),
    );
    lines.push(heading.join(", "), "[", ...(columns.length === 0 ? [] : [columns.join(",\n")]), "]");
  }
  lines.push(...keyLines("【Foreign keys】", keys, tables), ...inferredLines(profile, tables));
  return withoutTags(lines.join("\n"));
}

/** What is known of a column beside its declaration. */
interface ColumnFacts {
  readonly examples: ColumnExamples;
  readonly profile: ColumnProfile | null;
  readonly isForeignKey: boolean;
}

function columnLine(column: ColumnSchema, { examples, profile, isForeignKey }: ColumnFacts): string {
  const type = typeWord(column.type);
  const parts = [`${nameText(column.name)}:${type}`];
  const comment = commentText(column.comment || (profile?.description ?? ""), MAX_COMMENT_LENGTH);
  if (comment !== "") parts.push(comment);
  if (column.primaryKey > 0) parts.push("Primary Key");
  if (profile !== null) {
    if (isForeignKey) parts.push("Foreign Key");
    parts.push(profile.stored.null === 0 ? "No NULLs" : "Has NULLs", statistics(profile));
  }
  const shown = shownExamples(examples, profile, type);
  if (shown.length > 0) parts.push(`Examples: [${shown.map(exampleText).join(", ")}]`);
  return `(${parts.join(", ")})`;
}

/** The words of the declared type up to its parameters, in upper case. */
function typeWord(type: string): string {
  const words = (type.split("(")[0] ?? "").match(/\w+/g) ?? ["any"];
  return cutText(words.join(" ").toUpperCase(), MAX_TYPE_LENGTH);
}

function shownExamples(
  { retrieved, stored }: ColumnExamples,
  profile: ColumnProfile | null,
  type: string,
): string[] {
  const found = retrieved.slice(0, MAX_WITH_RETRIEVED);
  const frequent = (profile?.samples ?? []).filter((value) => value !== "" && !retrieved.includes(value));
  const others = fewOf(frequent.length > 0 ? frequent : stored, type);
  return [...found, ...others.slice(0, Math.max(0, MAX_EXAMPLES - found.length))];
}

function fewOf(values: readonly string[], type: string): readonly string[] {
  const first = values.slice(0, MAX_EXAMPLES);
  const longest = Math.max(0, ...first.map((value) => Array.from(value).length));
  if (DATE_TYPES.has(type)) return first.slice(0, 1);
  if (longest > TOO_LONG_EXAMPLE) return [];
  return longest > LONG_EXAMPLE ? first.slice(0, 1) : first;
}

/** A value as it is; in single quotes where a list could not be read with it. */
function exampleText(value: string): string {
  const text = cutText(visibleText(value), MAX_VALUE_LENGTH);
  return /,|[[\]]|^'|^\s|\s$/.test(text) ? `'${text.replaceAll("'", "''")}'` : text;
}

function statistics({ stored, distinct, minimum, maximum }: ColumnProfile): string {
  const parts = [`distinct ${distinct}`, `NULL ${stored.null}`];
  const types = (["integer", "real", "text", "blob"] as const).filter((type) => stored[type] > 0);
  if (types.length > 1) parts.push(...types.map((type) => `${type} ${stored[type]}`));
  const [low, high] = [cellText(minimum), cellText(maximum)];
  if (low !== null && high !== null) parts.push(`min ${low}`, `max ${high}`);
  return `Statistics: [${parts.join(", ")}]`;
}

/** `null` for NULL and for bytes. */
function cellText(cell: ShownCell): string | null {
  if (cell === null) return null;
  if (typeof cell !== "object") return exampleText(String(cell));
  if ("integer" in cell) return cell.integer;
  return "real" in cell ? cell.real : null;
}

function inferredLines(profile: DatabaseProfile | null, tables: readonly TableSchema[]): string[] {
  const keys = (profile?.inferredForeignKeys ?? []).filter((key) => isShown(key, tables));
  return keyLines("【Inferred foreign keys】", keys, tables);
}

function keyLines(heading: string, keys: readonly ForeignKey[], tables: readonly TableSchema[]): string[] {
  const lines = keys.map((key) => {
    const referenced = referencedColumn(key, tables);
    const target = referenced === "" ? "" : `.${nameText(referenced)}`;
    return `${nameText(key.table)}.${nameText(key.column)}=${nameText(key.referencedTable)}${target}`;
  });
  return lines.length === 0 ? [] : [heading, ...lines];
}

function isShown(key: ForeignKey, tables: readonly TableSchema[]): boolean {
  const has = (table: string): boolean => tables.some(({ name }) => sameName(name, table));
  return has(key.table) && has(key.referencedTable);
}

/** The column that a key names, or the only member of the primary key that it means without naming it. */
function referencedColumn(key: ForeignKey, tables: readonly TableSchema[]): string {
  if (key.referencedColumn !== "") return key.referencedColumn;
  const target = tables.find(({ name }) => sameName(name, key.referencedTable));
  const members = target?.columns.filter(({ primaryKey }) => primaryKey > 0) ?? [];
  return members.length === 1 ? (members[0]?.name ?? "") : "";
}

/** A name as it is; in backquotes where its line could not be read with it. */
function nameText(name: string): string {
  const text = plainText(name);
  return /[`:,=.[\]]|^\s|\s$|^$/.test(text) ? `\`${text.replaceAll("`", "``")}\`` : text;
}

function plainText(name: string): string {
  return cutText(visibleText(name), MAX_NAME_LENGTH);
}
