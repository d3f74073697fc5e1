import { InvalidText } from "../core/execution.ts";
import type { Cell } from "../core/execution.ts";
import { significantTokens } from "../sql/lexer.ts";
import type { SqlConnection } from "./sql-driver.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * A query with the rows of `sql` whose every column is followed by the bytes of its text (NULL where it is
 * none); `null` for a statement that cannot be a subquery.
 */
export function withTextBytes(sql: string, columns: number): string | null {
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
  return `WITH q(${names.join(", ")}) AS MATERIALIZED (\n${query}\n) SELECT ${pairs.join(", ")} FROM q`;
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

/**
 * Which columns of a database hold text or blobs with a NUL, found by one scan of each column that is asked
 * for. The engine's driver ends text at a NUL, so such columns are read as bytes. Good for as long as the
 * file does not change.
 */
export class NulColumns {
  /** Table to column to whether it holds one, by the names of the schema; built when first asked. */
  #tables: Map<string, Map<string, boolean>> | undefined;

  /**
   * Whether any of `reads` (table, column, table, column, …) holds a NUL. `scanning` is called before the
   * first scan, if there is one.
   */
  anyIn(reads: readonly string[], connection: SqlConnection, scanning: () => void): boolean {
    let announced = false;
    for (let index = 0; index < reads.length; index += 2) {
      const table = reads[index] as string;
      const column = reads[index + 1] as string;
      if (column === "") continue;
      const known = this.#columnsOf(table, connection);
      if (known === undefined) continue;
      let holds = known.get(column);
      if (holds === undefined) {
        if (!announced) scanning();
        announced = true;
        holds = scanColumn(connection, table, column);
        known.set(column, holds);
      }
      if (holds) return true;
    }
    return false;
  }

  #columnsOf(table: string, connection: SqlConnection): Map<string, boolean> | undefined {
    this.#tables ??= new Map(tableNames(connection).map((name) => [name, new Map<string, boolean>()]));
    return this.#tables.get(table);
  }
}

function tableNames(connection: SqlConnection): string[] {
  const names: string[] = [];
  const rows = connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").iterate();
  for (let step = rows.next(); step.done !== true; step = rows.next()) {
    names.push((step.value as [string])[0]);
  }
  return names;
}

function scanColumn(connection: SqlConnection, table: string, column: string): boolean {
  const name = quoteName(column);
  const sql =
    `SELECT 1 FROM main.${quoteName(table)} WHERE typeof(${name}) IN ('text', 'blob') ` +
    `AND instr(CAST(${name} AS BLOB), x'00') > 0 LIMIT 1`;
  try {
    const rows = connection.prepare(sql).iterate();
    const found = rows.next().done !== true;
    rows.return?.();
    return found;
  } catch {
    return false;
  }
}

/** A name in double quotes, for an SQL text. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
