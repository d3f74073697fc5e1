import type { ColumnSchema, DatabaseSchema, TableSchema } from "../core/database.ts";
import { oneLineText, shortenText } from "./one-line-text.ts";
import type { Checked } from "./tool-arguments.ts";
import { foldName } from "../sql/fold-name.ts";

const SHOWN_NAMES = 30;
const SHOWN_CHARACTERS = 80;

/** Whether two names are one for SQLite, which tells letters beyond ASCII apart by case. */
export function isSameName(left: string, right: string): boolean {
  return left === right || foldName(left) === foldName(right);
}

/** The table that a call's argument `table` names, without ASCII case. */
export function findTable({ tables }: DatabaseSchema, name: string): Checked<TableSchema> {
  const table = tables.find((candidate) => isSameName(candidate.name, name));
  if (table !== undefined) return { ok: true, value: table };
  return { ok: false, problem: unknownName("table", name, tables) };
}

/** The column of a table that a call's argument `argument` names, without ASCII case. */
export function findColumn({ columns }: TableSchema, argument: string, name: string): Checked<ColumnSchema> {
  const column = columns.find((candidate) => isSameName(candidate.name, name));
  if (column !== undefined) return { ok: true, value: column };
  return { ok: false, problem: unknownName(argument, name, columns) };
}

/** A table and column as the schema writes them, to which a search is narrowed; `null` for no narrowing. */
export interface SearchScope {
  readonly table: string | null;
  readonly column: string | null;
}

/** The table and column that a call names, either of them alone too. */
export function findScope(schema: DatabaseSchema, { table, column }: SearchScope): Checked<SearchScope> {
  const found = table === null ? null : findTable(schema, table);
  if (found?.ok === false) return found;
  const among = found === null ? schema.tables : [found.value];
  const [first] = among;
  if (column === null || first === undefined) {
    return { ok: true, value: { table: found?.value.name ?? null, column } };
  }
  const columns = among.flatMap((candidate) => candidate.columns);
  const named = findColumn({ ...first, columns }, "column", column);
  return named.ok
    ? { ok: true, value: { table: found?.value.name ?? null, column: named.value.name } }
    : named;
}

function unknownName(argument: string, name: string, known: readonly { readonly name: string }[]): string {
  const names = [...new Set(known.map((item) => item.name))];
  const shown = names.slice(0, SHOWN_NAMES).map((item) => quoted(item));
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
  const expected = shown.length === 0 ? "nothing: there is none" : `one of ${shown.join(", ")}${more}`;
  return `the argument ${argument} is ${quoted(name)}, expected ${expected}`;
}

function quoted(name: string): string {
  return shortenText(oneLineText(JSON.stringify(name)), SHOWN_CHARACTERS);
}
