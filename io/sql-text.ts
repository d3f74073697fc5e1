import { InvalidText } from "../core/execution.ts";
import type { Cell } from "../core/execution.ts";
import { significantTokens } from "../sql/lexer.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * A query with the rows of `sql` whose every column is followed by the bytes of its text (NULL where it is
 * none); `null` for a statement that cannot be a subquery.
 *
 * @param whole - whether `sql` is run to its end first, which keeps the order of its rows; else rows come as
 *   they are found
 */
export function withTextBytes(sql: string, columns: number, whole: boolean): string | null {
  const tokens = significantTokens(sql).filter((token) => token.text !== ";");
  const first = tokens[0];
  const last = tokens.at(-1);
  if (first === undefined || last === undefined) return null;
  if (!/^(?:select|values|with)$/i.test(first.text)) return null;
  const names = Array.from({ length: columns }, (_, index) => `c${index + 1}`);
  const pairs = names.map(
    (name) => `${name}, CASE typeof(${name}) WHEN 'text' THEN CAST(${name} AS BLOB) END`,
  );
  const query = sql.slice(first.start, last.end);
  return `WITH q(${names.join(", ")}) AS ${whole ? "MATERIALIZED " : ""}(\n${query}\n) SELECT ${pairs.join(", ")} FROM q`;
}

/** Turns a row of {@link withTextBytes} into the cells of the query: text from its bytes, lossless. */
export function joinTextBytes(row: readonly Cell[]): Cell[] {
  const cells: Cell[] = [];
  for (let index = 0; index < row.length; index += 2) {
    const bytes = row[index + 1];
    cells.push(bytes instanceof Uint8Array ? decodeText(bytes) : (row[index] as Cell));
  }
  return cells;
}

function decodeText(bytes: Uint8Array): string | InvalidText {
  try {
    return decoder.decode(bytes);
  } catch {
    return new InvalidText(bytes);
  }
}

/** A name in double quotes, for an SQL text. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
