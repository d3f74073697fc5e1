import type { SqlConnection } from "./sql-driver.ts";
import { quoteName } from "./sql-text.ts";

/** More rows than this are only known to be more. */
const COUNTED_ROWS = 100_000;

interface TableFacts {
  /** Whether values are worked out when they are read: by a generated column or a module. */
  readonly isComputed: boolean;
  /** Column to whether it holds a NUL. */
  readonly nulColumns: Map<string, boolean>;
  /** Rows, at most one more than are counted. */
  rows: number | undefined;
}

/**
 * What is found out once of a database file whose content does not change: which columns hold text or blobs
 * with a NUL, at which the engine's driver ends text, and how many rows its tables have. Every question
 * costs one scan the first time.
 */
export class FileFacts {
  /** By the names of the schema; views are not among them. */
  #tables: Map<string, TableFacts> | undefined;

  /**
   * Whether any of `reads` (table, column, table, column, …) holds a NUL, or may: what is computed on reading
   * is not scanned, as that can cost any amount. `scanning` is called before the first scan, if there is one.
   */
  anyNul(reads: readonly string[], connection: SqlConnection, scanning: () => void): boolean {
    let announced = false;
    for (let index = 0; index < reads.length; index += 2) {
      const table = reads[index] as string;
      const column = reads[index + 1] as string;
      if (column === "") continue;
      const facts = this.#factsOf(table, connection);
      if (facts === undefined) continue;
      if (facts.isComputed) return true;
      const known = facts.nulColumns;
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

  /**
   * The most rows that `joined` of the tables in `reads` can make together; infinite when one of them has
   * more than 100,000 rows or is no table.
   */
  mostRows(reads: readonly string[], joined: number, connection: SqlConnection): number {
    const tables = new Set<string>();
    for (let index = 0; index < reads.length; index += 2) tables.add(reads[index] as string);
    let product = 1;
    let most = 1;
    for (const table of tables) {
      const facts = this.#factsOf(table, connection);
      if (facts === undefined) return Number.POSITIVE_INFINITY;
      facts.rows ??= countRows(connection, table);
      if (facts.rows > COUNTED_ROWS) return Number.POSITIVE_INFINITY;
      product *= Math.max(1, facts.rows);
      most = Math.max(most, facts.rows);
    }
    return tables.size === joined ? product : most ** joined;
  }

  #factsOf(table: string, connection: SqlConnection): TableFacts | undefined {
    this.#tables ??= tablesOf(connection);
    return this.#tables.get(table);
  }
}

/** In the text of every table with a generated column (`AS (…)`) and of every virtual table (`USING`). */
const COMPUTED = /\b(?:as|using)\b/i;

function tablesOf(connection: SqlConnection): Map<string, TableFacts> {
  const tables = new Map<string, TableFacts>();
  const rows = connection.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'table'").iterate();
  for (let step = rows.next(); step.done !== true; step = rows.next()) {
    const [name, sql] = step.value as [string, string | null];
    tables.set(name, { isComputed: COMPUTED.test(sql ?? ""), nulColumns: new Map(), rows: undefined });
  }
  return tables;
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

function countRows(connection: SqlConnection, table: string): number {
  const counted = `SELECT 1 FROM main.${quoteName(table)} LIMIT ${COUNTED_ROWS + 1}`;
  try {
    const rows = connection.prepare(`SELECT count(*) FROM (${counted})`).iterate();
    const count = Number((rows.next().value as unknown[])[0]);
    rows.return?.();
    return count;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
