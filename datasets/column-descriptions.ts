import path from "node:path";
import type { ColumnSchema, TableSchema } from "../core/database.ts";
import { GradusError } from "../core/errors.ts";
import type { LoadedSchema } from "../core/loader.ts";
import { readCsv } from "../io/csv.ts";
import { matchName } from "./name-matching.ts";

/** What a description file says of one column, each in one line. */
interface Description {
  readonly column: string;
  readonly natural: string;
  readonly description: string;
  readonly values: string;
}

/**
 * The schema with the comments of BIRD's description files, one CSV a table: a column's comment is its
 * description, then `; ` and the description of its values. Files and columns are matched leniently; what
 * did not match exactly, was not found, or was not UTF-8 becomes a note. Never throws for what a
 * description file holds.
 */
export async function describeColumns(loaded: LoadedSchema, files: readonly string[]): Promise<LoadedSchema> {
  const notes = [...loaded.notes];
  const names = loaded.schema.tables.map((table) => table.name);
  const described = new Map<string, readonly Description[]>();
  for (const file of files) {
    const stem = path.parse(file).name;
    const match = matchName(stem, names);
    if (match === null) {
      notes.push(`${stem}.csv describes no table`);
      continue;
    }
    if (!match.exact) notes.push(`${stem}.csv is taken for the table ${match.name}`);
    if (described.has(match.name))
      notes.push(`${stem}.csv describes ${match.name} a second time and is left out`);
    else described.set(match.name, await readDescriptions(file, notes));
  }
  if (files.length > 0) {
    for (const name of names) if (!described.has(name)) notes.push(`no file describes the table ${name}`);
  }
  const tables = loaded.schema.tables.map((table) =>
    describeTable(table, described.get(table.name) ?? [], notes),
  );
  return { schema: { ...loaded.schema, tables }, notes };
}

async function readDescriptions(file: string, notes: string[]): Promise<Description[]> {
  const name = path.basename(file);
  try {
    const { rows, encoding } = await readCsv(file);
    if (encoding !== "utf-8") notes.push(`${name} is not UTF-8 and is read as Windows-1252`);
    const [header, ...body] = rows;
    const titles = (header ?? []).map((title) => title.trim().toLowerCase());
    const cell = (row: readonly string[], title: string): string => oneLine(row[titles.indexOf(title)] ?? "");
    if (!titles.includes("original_column_name")) {
      notes.push(`${name} has no column original_column_name and is left out`);
      return [];
    }
    return body
      .map((row) => ({
        column: row[titles.indexOf("original_column_name")] ?? "",
        natural: cell(row, "column_name"),
        description: cell(row, "column_description"),
        values: cell(row, "value_description"),
      }))
      .filter((row) => row.column.trim() !== "");
  } catch (thrown) {
    if (!(thrown instanceof GradusError)) throw thrown;
    notes.push(`${name} cannot be read and is left out: ${thrown.code}`);
    return [];
  }
}

function describeTable(table: TableSchema, rows: readonly Description[], notes: string[]): TableSchema {
  const names = table.columns.map((column) => column.name);
  const comments = new Map<string, string>();
  for (const row of rows) {
    const match = matchName(row.column, names);
    if (match === null) {
      notes.push(`${table.name} has no column ${JSON.stringify(row.column)}, which its file describes`);
      continue;
    }
    if (!match.exact) {
      notes.push(`${table.name}: ${JSON.stringify(row.column)} is taken for the column ${match.name}`);
    }
    if (!comments.has(match.name)) comments.set(match.name, commentOf(row, match.name));
  }
  const columns = table.columns.map((column): ColumnSchema => {
    const comment = comments.get(column.name);
    return comment === undefined || comment === "" ? column : { ...column, comment };
  });
  return { ...table, columns };
}

function commentOf(row: Description, column: string): string {
  const natural = row.natural === column ? "" : row.natural;
  const head = row.description === "" ? natural : row.description;
  return [head, row.values].filter((part) => part !== "").join("; ");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
