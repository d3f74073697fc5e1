import type { ColumnSchema, Database, ForeignKey, TableSchema } from "../../core/database.ts";
import { defineSchemaDialect, NO_EXTRAS } from "../../core/schema-dialect.ts";
import { columnExamples, type ColumnExamples } from "../column-examples.ts";
import { commentText, holdsText, identifier, sameName, typeText, valueText } from "../schema-text.ts";

const INDENT = "    ";
const MAX_VALUES = 6;
/** In UTF-16 units, before the mark that says that something was cut. */
const MAX_VALUE_LENGTH = 40;
const MAX_COMMENT_LENGTH = 240;

/**
 * CREATE TABLE statements in the style of OmniSQL: a line per column with its comment and example values,
 * those retrieved for the question first, then the primary key and the foreign keys. The text stays valid SQL
 * whatever a database holds: names, types, comments and values take one line each, invisible characters are
 * written as escapes, and long ones are cut and end in `...`. A comment that only repeats the column's name is
 * left out.
 */
export default defineSchemaDialect({
  id: "omnisql-ddl",
  version: 1,
  render(database: Database, extras = NO_EXTRAS): string {
    const examplesOf = columnExamples(database, extras.retrieved);
    return database.schema.tables
      .map((table) => renderTable(table, database.schema.foreignKeys, examplesOf))
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
  examplesOf: (table: string, column: string) => ColumnExamples,
): string {
  const lines = [
    ...table.columns.map((column) => columnLine(column, examplesOf(table.name, column.name))),
    ...primaryKeyLines(table),
    ...foreignKeys.filter((key) => sameName(key.table, table.name)).map(foreignKeyLine),
  ];
  const body = lines.map(({ definition, remark }, index) => {
    const comma = index < lines.length - 1 ? "," : "";
    return `${INDENT}${definition}${comma}${remark === "" ? "" : ` -- ${remark}`}\n`;
  });
  return `CREATE TABLE ${identifier(table.name)} (\n${body.join("")});`;
}

function columnLine(column: ColumnSchema, { retrieved, stored }: ColumnExamples): Line {
  const type = typeText(column.type);
  const comment = commentText(column.comment, MAX_COMMENT_LENGTH);
  const values = [...retrieved, ...stored];
  const remarks: string[] = [];
  if (comment !== "" && bareName(comment) !== bareName(column.name)) remarks.push(comment);
  if (values.length > 0) {
    const isText = holdsText(column.type);
    const shown = values.slice(0, MAX_VALUES).map((value) => valueText(value, isText, MAX_VALUE_LENGTH));
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

/** A name without case, spaces and underscores. */
function bareName(text: string): string {
  return text.toLowerCase().replace(/[\s_]/g, "");
}
