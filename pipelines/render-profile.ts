import type { ColumnProfile, DatabaseProfile, LeftOut, TableProfile } from "../core/database-profile.ts";
import type { SearchReply } from "../core/database-profiler.ts";
import { oneLineText, shortenText } from "../synth/one-line-text.ts";

/** Characters of a value on a line. */
const SHOWN = 40;

/** A profile for a person: tables and columns with what they hold, keys, and the search index. */
export function renderProfile(profile: DatabaseProfile): string {
  const { databaseId, tables, inferredForeignKeys, index } = profile;
  const columns = tables.reduce((sum, table) => sum + table.columns.length, 0);
  const lines = [`${oneLineText(databaseId)}: ${count(tables.length, "table")}, ${count(columns, "column")}`];
  for (const table of tables) lines.push("", ...renderTable(table));
  lines.push("", `keys that nothing declares: ${inferredForeignKeys.length === 0 ? "none" : ""}`.trimEnd());
  for (const key of inferredForeignKeys) {
    const { distinct, contained, names } = key.evidence;
    const place = `${key.table}.${key.column} -> ${key.referencedTable}.${key.referencedColumn}`;
    const share = contained === 1 ? "all" : percent(contained);
    lines.push(
      `  ${oneLineText(place)}  ${share} of ${distinct} values are there; names: ${names.replaceAll("_", " ")}`,
    );
  }
  lines.push("", `search index: ${count(index.names, "name")}, ${count(index.values, "value")}`);
  return [...lines, ...renderLeftOut(index.leftOut)].join("\n");
}

function renderTable({ name, rows, columns }: TableProfile): string[] {
  return [
    `${oneLineText(name)}  ${count(rows, "row")}`,
    ...columns.map((column) => renderColumn(column, rows)),
  ];
}

function renderColumn(column: ColumnProfile, rows: number): string {
  const { name, stored, distinct, minimum, maximum, samples } = column;
  const types = Object.entries(stored)
    .filter(([type, cells]) => type !== "null" && cells > 0)
    .map(([type]) => type);
  const facts = [`${distinct} distinct`, types.join(" and ")];
  if (stored.null > 0) facts.push(`${percent(stored.null / rows)} null`);
  if (distinct > 0) facts.push(`${shown(minimum)} to ${shown(maximum)}`);
  if (samples.length > 0) facts.push(`most often ${samples.map(shown).join(", ")}`);
  return `  ${oneLineText(name)}  ${facts.filter((fact) => fact !== "").join("; ")}`;
}

/** What is no text is told in one line: it is most of a usual database. */
function renderLeftOut(leftOut: readonly LeftOut[]): string[] {
  const numbers = leftOut.filter(({ reason }) => reason === "not_text");
  const lines = leftOut
    .filter(({ reason }) => reason !== "not_text")
    .map(({ table, column, reason, values }) => {
      const place = oneLineText(`${table}.${column}`);
      return `  left out: ${count(values, "value")} of ${place} (${reason.replaceAll("_", " ")})`;
    });
  if (numbers.length === 0) return lines;
  const values = numbers.reduce((sum, one) => sum + one.values, 0);
  return [...lines, `  left out: ${count(values, "value")} of ${count(numbers.length, "column")} (not text)`];
}

/** Matches for a person, the best first. */
export function renderMatches({ names, values }: SearchReply): string {
  const lines = [
    ...names.map(({ table, column, score }) => {
      const place = column === null ? `table ${table}` : `column ${table}.${column}`;
      return `  ${score.toFixed(2)}  ${oneLineText(place)}`;
    }),
    ...values.map(
      ({ table, column, value, score }) =>
        `  ${score.toFixed(2)}  ${oneLineText(`${table}.${column}`)} = ${shown(value)}`,
    ),
  ];
  return lines.length === 0 ? "  nothing matches" : lines.join("\n");
}

function shown(value: unknown): string {
  return oneLineText(shortenText(JSON.stringify(value), SHOWN));
}

function count(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
