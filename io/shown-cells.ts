import { type Cell, InvalidText, type ResultTable } from "../core/execution.ts";
import type { QueryReply, ShownCell } from "../core/sql-runner.ts";
import { rowHashesOf } from "./row-hashes.ts";

const LOSSY = new TextDecoder("utf-8");

/** The first rows of a result as an agent's tool gets them; the execution counts all of them. */
export function shownReply(table: ResultTable, maxRows: number, maxCellCharacters: number): QueryReply {
  const rows = firstRows(table, maxRows).map((row) => row.map((cell) => shownCell(cell, maxCellCharacters)));
  const columnNames = table.columnNames.map((name) => cut(name, maxCellCharacters));
  return { execution: table.execution, columnNames, rows };
}

function firstRows(table: ResultTable, count: number): readonly (readonly Cell[])[] {
  if (rowHashesOf(table) === undefined) return table.rows.slice(0, count);
  const rows: (readonly Cell[])[] = [];
  for (const row of table.stream()) {
    if (rows.length === count) break;
    rows.push(row);
  }
  return rows;
}

/** A cell in plain JSON; text longer than `maxCharacters` is cut and ends in `…`. */
export function shownCell(cell: Cell, maxCharacters: number): ShownCell {
  if (cell === null) return null;
  if (typeof cell === "bigint") {
    const number = Number(cell);
    return Number.isSafeInteger(number) ? number : { integer: cell.toString() };
  }
  if (typeof cell === "number")
    return Number.isFinite(cell) ? cell : { real: cell > 0 ? "Infinity" : "-Infinity" };
  if (typeof cell === "string") return cut(cell, maxCharacters);
  if (cell instanceof InvalidText) return cut(LOSSY.decode(cell.bytes), maxCharacters);
  return { blob: cut(Buffer.from(cell.subarray(0, maxCharacters)).toString("hex"), maxCharacters) };
}

function cut(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const end = isHighSurrogate(text.charCodeAt(maxCharacters - 1)) ? maxCharacters - 1 : maxCharacters;
  return `${text.slice(0, end)}…`;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
