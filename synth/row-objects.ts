import type { QueryReply, ShownCell } from "../core/sql-runner.ts";
import { safeJson } from "./json-text.ts";
import { shortenText } from "./one-line-text.ts";
import { takeFitting } from "./take-fitting.ts";

/** How much of a result is shown. */
export interface RowObjectLimits {
  readonly maxRows: number;
  /** Of a cell or a column name; a longer one ends in `…`. */
  readonly maxCellCharacters: number;
  /** Of the rows together: whole rows are left out at the end, and the cells of a first row that is too long are cut. */
  readonly maxCharacters: number;
}

/**
 * A result as JSON on one line: `{"total_rows":30,"shown_rows":2,"rows":[{"name":"Tern","seats":12},…]}`, the
 * columns in the statement's order. A column name that comes again gets the first of `_2`, `_3`, … that no
 * column has. Integers are exact however long they are, infinities are the texts `Infinity` and `-Infinity`,
 * a blob is the text `x'…'` in hexadecimal.
 */
export function rowObjectsText(
  { execution, columnNames, rows }: QueryReply,
  limits: RowObjectLimits,
): string {
  const shown = rowTexts(columnNames, rows.slice(0, limits.maxRows), limits);
  const total = Math.max(execution.rows, rows.length);
  return safeJson(`{"total_rows":${total},"shown_rows":${shown.length},"rows":[${shown.join(",")}]}`);
}

/** Names, each of them once. */
export function uniqueNames(names: readonly string[]): string[] {
  const written = new Set(names);
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let number = 2; taken.has(unique) || (unique !== name && written.has(unique)); number += 1) {
      unique = `${name}_${number}`;
    }
    taken.add(unique);
    return unique;
  });
}

function rowTexts(
  columnNames: readonly string[],
  rows: readonly (readonly ShownCell[])[],
  { maxCellCharacters, maxCharacters }: RowObjectLimits,
): readonly string[] {
  for (let maxCell = maxCellCharacters; ; maxCell = Math.floor(maxCell / 2)) {
    const objects = rowsAsObjects(columnNames, rows, maxCell);
    const { taken } = takeFitting(objects, maxCharacters, ({ length }) => length);
    if (taken.length > 0 || rows.length === 0 || maxCell === 0) return taken;
  }
}

function* rowsAsObjects(
  columnNames: readonly string[],
  rows: readonly (readonly ShownCell[])[],
  maxCell: number,
): Iterable<string> {
  const names = uniqueNames(columnNames.map((name) => shortenText(name, maxCell))).map((name) =>
    JSON.stringify(name),
  );
  for (const row of rows) {
    yield safeJson(`{${row.map((cell, column) => `${names[column]}:${cellJson(cell, maxCell)}`).join(",")}}`);
  }
}

function cellJson(cell: ShownCell, maxCell: number): string {
  if (typeof cell === "string") return JSON.stringify(shortenText(cell, maxCell));
  if (cell === null || typeof cell === "number") return JSON.stringify(cell);
  if ("integer" in cell) return cell.integer;
  if ("real" in cell) return JSON.stringify(cell.real);
  return JSON.stringify(`x'${shortenText(cell.blob, maxCell)}'`);
}
