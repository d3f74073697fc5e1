import path from "node:path";
import type { FoundTable } from "./report-document.ts";
import { readJsonFile, recordOf, type ReportSource } from "./report-source.ts";

type Cell = FoundTable["rows"][number][number];

/** Bounds on what is taken of an evaluation: tables, rows of one, columns of one, characters of a text, levels, cells in all. */
const BOUNDS = { tables: 60, rows: 200, columns: 16, characters: 200, depth: 6, cells: 12_000 };

/** The tables of `evaluation.json` in a run's folder; none where there is no such file. */
export async function evaluationTables(source: ReportSource): Promise<FoundTable[]> {
  return tablesOf(await readJsonFile(path.join(source.folder, "evaluation.json")));
}

/**
 * Tables of a JSON document of any shape: a list of records is a table with a column for each field, a record of
 * single values one with a row for each; what is deeper comes under the path of its names.
 */
export function tablesOf(document: unknown): FoundTable[] {
  const tables: FoundTable[] = [];
  collect(document, [], tables);
  let cells = 0;
  return tables.slice(0, BOUNDS.tables).filter(({ columns, rows }) => {
    cells += columns.length * rows.length;
    return cells <= BOUNDS.cells;
  });
}

function collect(value: unknown, trail: readonly string[], tables: FoundTable[]): void {
  if (trail.length > BOUNDS.depth || tables.length >= BOUNDS.tables) return;
  if (Array.isArray(value)) {
    const records = value.map((item: unknown) => recordOf(item)).filter((item) => item !== undefined);
    if (records.length > 0) tables.push(listTable(records, trail));
    return;
  }
  const fields = Object.entries(recordOf(value) ?? {});
  const single = fields.flatMap(([name, field]) => {
    const cell = cellOf(field);
    return cell === undefined ? [] : [[name, cell] as const];
  });
  if (single.length > 0) {
    const rows = single.slice(0, BOUNDS.rows).map(([name, cell]) => [name, cell]);
    tables.push({ title: titleOf(trail), columns: ["", "value"], rows, more: single.length - rows.length });
  }
  for (const [name, field] of fields) {
    if (typeof field === "object" && field !== null) collect(field, [...trail, name], tables);
  }
}

function listTable(
  records: readonly Readonly<Record<string, unknown>>[],
  trail: readonly string[],
): FoundTable {
  const shown = records.slice(0, BOUNDS.rows).map((record) => flatten(record));
  const columns = [...new Set(shown.flatMap((record) => Object.keys(record)))].slice(0, BOUNDS.columns);
  const rows = shown.map((record) => columns.map((column) => record[column] ?? null));
  return { title: titleOf(trail), columns, rows, more: records.length - shown.length };
}

/** Single values by name; those of a record inside under `outer.inner`; lists are left out. */
function flatten(record: Readonly<Record<string, unknown>>): Record<string, Cell> {
  const flat: Record<string, Cell> = {};
  for (const [name, value] of Object.entries(record)) {
    const cell = cellOf(value);
    if (cell !== undefined) flat[name] = cell;
    for (const [inner, deeper] of Object.entries(recordOf(value) ?? {})) {
      const deep = cellOf(deeper);
      if (deep !== undefined) flat[`${name}.${inner}`] = deep;
    }
  }
  return flat;
}

function cellOf(value: unknown): Cell | undefined {
  if (value === null || typeof value === "number" || typeof value === "boolean") return value;
  return typeof value === "string" ? value.slice(0, BOUNDS.characters) : undefined;
}

function titleOf(trail: readonly string[]): string {
  return trail.length === 0 ? "evaluation" : trail.join(" › ");
}
