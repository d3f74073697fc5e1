import type { ColumnSchema, Database, ForeignKey, TableSchema } from "../../core/database.ts";
import { defineSchemaDialect, NO_EXTRAS } from "../../core/schema-dialect.ts";
import { columnExamples, type ColumnExamples } from "../column-examples.ts";
import { holdsText, identifier, sameName, typeText, valueText, withoutTags } from "../schema-text.ts";

const MAX_RETRIEVED = 6;
/** In UTF-16 units, before the mark that says that something was cut. */
const MAX_VALUE_LENGTH = 40;

/**
 * One line a table, for schemas that are large beside their prompt:
 * ```
 * member(member_id INTEGER PK, `full name` TEXT {'Ann Lee'})
 * fee(year INT, member INT -> member.member_id, amount REAL, PK (member, year))
 * ```
 * `PK` marks a primary key of one column and ends the line of a longer one; `->` names what a foreign key refers
 * to. Braces hold values: those retrieved for the question, at most six, else the first stored one of a text
 * column. Names are in backquotes where SQL needs it. Comments are left out. Text stays on its line and opens no
 * tag: invisible characters and the `<` of a tag are escapes, and long text is cut and ends in `...`.
 */
export default defineSchemaDialect({
  id: "compact",
  version: 1,
  render(database: Database, extras = NO_EXTRAS): string {
    const examplesOf = columnExamples(database, extras.retrieved);
    const { tables, foreignKeys } = database.schema;
    return withoutTags(tables.map((table) => tableLine(table, foreignKeys, examplesOf)).join("\n"));
  },
});

function tableLine(
  table: TableSchema,
  foreignKeys: readonly ForeignKey[],
  examplesOf: (table: string, column: string) => ColumnExamples,
): string {
  const keys = foreignKeys.filter((key) => sameName(key.table, table.name));
  const members = table.columns
    .filter(({ primaryKey }) => primaryKey > 0)
    .sort((left, right) => left.primaryKey - right.primaryKey);
  const parts = table.columns.map((column) =>
    columnText(column, {
      isKey: members.length === 1 && members[0] === column,
      references: keys.filter((key) => sameName(key.column, column.name)),
      examples: examplesOf(table.name, column.name),
    }),
  );
  if (members.length > 1) parts.push(`PK (${members.map(({ name }) => identifier(name)).join(", ")})`);
  return `${identifier(table.name)}(${parts.join(", ")})`;
}

interface ColumnFacts {
  readonly isKey: boolean;
  readonly references: readonly ForeignKey[];
  readonly examples: ColumnExamples;
}

function columnText(column: ColumnSchema, { isKey, references, examples }: ColumnFacts): string {
  const isText = holdsText(column.type);
  const parts = [identifier(column.name), typeText(column.type), isKey ? "PK" : ""];
  for (const { referencedTable, referencedColumn } of references) {
    const target = referencedColumn === "" ? "" : `.${identifier(referencedColumn)}`;
    parts.push(`-> ${identifier(referencedTable)}${target}`);
  }
  const { retrieved, stored } = examples;
  const values = retrieved.length > 0 ? retrieved.slice(0, MAX_RETRIEVED) : stored.slice(0, isText ? 1 : 0);
  if (values.length > 0) {
    parts.push(`{${values.map((value) => valueText(value, isText, MAX_VALUE_LENGTH)).join(", ")}}`);
  }
  return parts.filter((part) => part !== "").join(" ");
}
