import type { ShownCell } from "../core/sql-runner.ts";
import { oneLineText, shortenText } from "./one-line-text.ts";

/**
 * A cell as SQL writes it, on one line: text in single quotes, a blob as `x'…'`, NULL as `NULL`. Longer ones
 * are cut and end in `…`; what cannot be seen is written as `\n`, `\t` or `\uXXXX`, which SQL does not read.
 */
export function literalText(cell: ShownCell, maxCharacters: number): string {
  if (cell === null) return "NULL";
  if (typeof cell === "number") return String(cell);
  if (typeof cell === "string") {
    return `'${oneLineText(shortenText(cell, maxCharacters)).replaceAll("'", "''")}'`;
  }
  if ("integer" in cell) return cell.integer;
  if ("real" in cell) return cell.real;
  return `x'${shortenText(cell.blob, maxCharacters)}'`;
}
