import type { ColumnSchema, Database, ForeignKey, TableSchema } from "../../core/database.ts";
import { defineSchemaDialect } from "../../core/schema-dialect.ts";

const INDENT = "    ";
const MAX_VALUES = 6;
/** In UTF-16 units, before the mark that says that something was cut. */
const MAX_VALUE_LENGTH = 40;
const MAX_COMMENT_LENGTH = 240;
const MAX_TYPE_LENGTH = 60;
const MAX_IDENTIFIER_LENGTH = 256;
const CUT = "...";

/** SQLite's keywords: as a name, each needs quotes in some place or reads like syntax to a person. */
const KEYWORDS: ReadonlySet<string> = new Set(
  `abort action add after all alter always analyze and as asc attach autoincrement before begin between by
  cascade case cast check collate column commit conflict constraint create cross current current_date
  current_time current_timestamp database default deferrable deferred delete desc detach distinct do drop each
  else end escape except exclude exclusive exists explain fail filter first following for foreign from full
  generated glob group groups having if ignore immediate in index indexed initially inner insert instead
  intersect into is isnull join key last left like limit match materialized natural no not nothing notnull null
  nulls of offset on or order others outer over partition plan pragma preceding primary query raise range
  recursive references regexp reindex release rename replace restrict returning right rollback row rows
  savepoint select set table temp temporary then ties to transaction trigger unbounded union unique update using
  vacuum values view virtual when where window with without`.split(/\s+/),
);

/**
 * CREATE TABLE statements in the style of OmniSQL: a line per column with its comment and example values,
 * then the primary key and the foreign keys. The text stays valid SQL whatever a database holds: names,
 * types, comments and values take one line each, invisible characters are written as escapes, and long ones
 * are cut and end in `...`. A comment that only repeats the column's name is left out.
 */
export default defineSchemaDialect({
  id: "omnisql-ddl",
  version: 1,
  render(database: Database): string {
    const examples = new Map<string, readonly string[]>();
    for (const entry of database.values) examples.set(placeOf(entry.table, entry.column), entry.values);
    return database.schema.tables
      .map((table) => renderTable(table, database.schema.foreignKeys, examples))
      .join("\n\n");
  },
});

interface Line {
  readonly definition: string;
  /** What stands after `--`, may be empty. */
  readonly remark: string;
}

function renderTable(
  table: TableSchema,
  foreignKeys: readonly ForeignKey[],
  examples: ReadonlyMap<string, readonly string[]>,
): string {
  const lines = [
    ...table.columns.map((column) =>
      columnLine(column, examples.get(placeOf(table.name, column.name)) ?? []),
    ),
    ...primaryKeyLines(table),
    ...foreignKeys.filter((key) => sameName(key.table, table.name)).map(foreignKeyLine),
  ];
  const body = lines.map(({ definition, remark }, index) => {
    const comma = index < lines.length - 1 ? "," : "";
    return `${INDENT}${definition}${comma}${remark === "" ? "" : ` -- ${remark}`}\n`;
  });
  return `CREATE TABLE ${identifier(table.name)} (\n${body.join("")});`;
}

function columnLine(column: ColumnSchema, values: readonly string[]): Line {
  const type = typeText(column.type);
  const comment = commentText(column.comment);
  const remarks: string[] = [];
  if (comment !== "" && bareName(comment) !== bareName(column.name)) remarks.push(comment);
  if (values.length > 0) {
    const isText = holdsText(column.type);
    const shown = values.slice(0, MAX_VALUES).map((value) => valueText(value, isText));
    remarks.push(`example: [${shown.join(", ")}]`);
  }
  const name = identifier(column.name);
  return { definition: type === "" ? name : `${name} ${type}`, remark: remarks.join(", ") };
}

function primaryKeyLines(table: TableSchema): Line[] {
  const members = table.columns
    .filter((column) => column.primaryKey > 0)
    .sort((left, right) => left.primaryKey - right.primaryKey)
    .map((column) => identifier(column.name));
  return members.length === 0 ? [] : [{ definition: `PRIMARY KEY (${members.join(", ")})`, remark: "" }];
}

function foreignKeyLine(key: ForeignKey): Line {
  const name = identifier(`fk_${key.table}_${key.column}`);
  const target = key.referencedColumn === "" ? "" : ` (${identifier(key.referencedColumn)})`;
  const reference = `REFERENCES ${identifier(key.referencedTable)}${target}`;
  return {
    definition: `CONSTRAINT ${name} FOREIGN KEY (${identifier(key.column)}) ${reference}`,
    remark: "",
  };
}

function identifier(name: string): string {
  const plain = /^[A-Za-z_]\w*$/.test(name) && name.length <= MAX_IDENTIFIER_LENGTH && !isKeyword(name);
  const text = cut(visible(name), MAX_IDENTIFIER_LENGTH);
  return plain ? text : `\`${text.replaceAll("`", "``")}\``;
}

/** The declared type as written where SQLite could have read it; else only its words. */
function typeText(type: string): string {
  const text = type.trim().replace(/\s+/g, " ");
  const words = text.match(/[A-Za-z_]\w*/g) ?? [];
  const isType = /^[A-Za-z_][\w ]*(\([+-]?\d+( ?, ?[+-]?\d+)?\))?$/.test(text);
  if (isType && text.length <= MAX_TYPE_LENGTH && !words.some(isKeyword)) return text;
  return cut(words.filter((word) => !isKeyword(word)).join(" "), MAX_TYPE_LENGTH, "");
}

function isKeyword(word: string): boolean {
  return KEYWORDS.has(word.toLowerCase());
}

function commentText(comment: string): string {
  return cut(visible(comment.replace(/\s+/g, " ").trim()), MAX_COMMENT_LENGTH);
}

/** A number as it is, unless the column holds text; anything else in quotes. */
function valueText(value: string, isTextColumn: boolean): string {
  const isNumber = !isTextColumn && /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(value);
  const text = cut(visible(value), MAX_VALUE_LENGTH);
  return isNumber ? text : `'${text.replaceAll("'", "''")}'`;
}

/** SQLite's rule for TEXT affinity. */
function holdsText(type: string): boolean {
  return !/int/i.test(type) && /char|clob|text/i.test(type);
}

/** Control, formatting and separator characters as escapes; the brackets of chat markers (`<|`, `|>`) apart. */
function visible(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escapeOf)
    .replaceAll("<|", "< |")
    .replaceAll("|>", "| >");
}

function escapeOf(character: string): string {
  if (character === "\n") return "\\n";
  if (character === "\r") return "\\r";
  if (character === "\t") return "\\t";
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** At most `length` UTF-16 units, never half a character, then the mark. */
function cut(text: string, length: number, mark: string = CUT): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}${mark}`;
}

/** A name without case, spaces and underscores. */
function bareName(text: string): string {
  return text.toLowerCase().replace(/[\s_]/g, "");
}

function sameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

function placeOf(table: string, column: string): string {
  return JSON.stringify([table.toLowerCase(), column.toLowerCase()]);
}
