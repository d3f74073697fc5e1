import type { QueryReply, ShownCell } from "../core/sql-runner.ts";
import { oneLineCell, shortenText } from "./one-line-text.ts";
import { escapeProtocolTags } from "./protocol-tags.ts";

/** How much of a result is shown. */
export interface DataframeLimits {
  readonly maxRows: number;
  /** Of a cell or a column name; a longer one ends in `…`. */
  readonly maxCellCharacters: number;
  /** Of the header and rows together: whole rows are left out at the end. */
  readonly maxCharacters: number;
}

/**
 * A result as plain text: a line of column names, a line a row, cells apart by ` | `, and a last line in
 * brackets that says how many rows there are in all. NULL is `NULL`; a text that would be mistaken for it,
 * an empty one, and one with white space at an end stand in single quotes; a blob is `x'…'`. Escapes begin
 * with a backslash: `\n`, `\t`, `\uXXXX` for what cannot be seen, `\|`, `\\`, and `\u003c` for the `<` of
 * anything that looks like a tag of the protocol ({@link escapeProtocolTags}).
 */
export function dataframeText(reply: QueryReply, limits: DataframeLimits): string {
  const { execution, columnNames, rows } = reply;
  const lines = [
    shortenText(columnNames.map((name) => textCell(name, limits)).join(" | "), limits.maxCharacters),
  ];
  let characters = lines[0]?.length ?? 0;
  for (const row of rows.slice(0, limits.maxRows)) {
    const line = row.map((cell) => shownCell(cell, limits)).join(" | ");
    characters += line.length + 1;
    if (characters > limits.maxCharacters) break;
    lines.push(line);
  }
  const shown = lines.length - 1;
  return escapeProtocolTags([...lines, countLine(shown, Math.max(execution.rows, rows.length))].join("\n"));
}

function countLine(shown: number, all: number): string {
  if (all === 0) return "[0 rows: the statement ran and gave nothing]";
  const rows = `${all} ${all === 1 ? "row" : "rows"}`;
  return shown === all ? `[${rows}]` : `[${shown} of ${rows} shown]`;
}

function shownCell(cell: ShownCell, limits: DataframeLimits): string {
  if (cell === null) return "NULL";
  if (typeof cell === "string") return textCell(cell, limits);
  if (typeof cell === "number") return String(cell);
  if ("integer" in cell) return cell.integer;
  if ("real" in cell) return cell.real;
  return `x'${shortenText(cell.blob, limits.maxCellCharacters)}'`;
}

function textCell(text: string, limits: DataframeLimits): string {
  const cut = shortenText(text, limits.maxCellCharacters);
  const isAmbiguous = cut.trim() !== cut || cut === "" || /^null$/i.test(cut);
  const shown = oneLineCell(cut).replaceAll("|", String.raw`\|`);
  return isAmbiguous ? `'${shown}'` : shown;
}
