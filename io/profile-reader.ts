import type { Cell } from "../core/execution.ts";
import { GradusError, messageOf } from "../core/errors.ts";
import { openConnection, type SqlConnection } from "./sql-driver.ts";
import { quoteName } from "./sql-text.ts";

/** Of SQLite's pages, and of a sort before it spills; of the file and of temporary tables each. */
const CACHE_KIB = 32_768;

/** What SQLite says when this machine, not the file, is at fault. */
const MACHINE_FAULTS = /disk is full|disk i\/o error|unable to open|out of memory/i;

/** Bytes of a character in UTF-8, at most. */
const CHARACTER_BYTES = 4;

/**
 * A database file opened to be read whole: sorts and temporary tables spill to files, nothing of the file's own
 * schema runs code, and text is read by its bytes where it is UTF-8, as a driver may cut or replace some.
 */
export class ProfileReader {
  readonly #connection: SqlConnection;
  readonly #isUtf8: boolean;

  constructor(file: string) {
    this.#connection = openConnection(file, { readOnly: true, readBigInts: true, returnArrays: true });
    this.#connection.exec(
      "PRAGMA trusted_schema = OFF; PRAGMA temp_store = FILE; PRAGMA temp.journal_mode = OFF; " +
        `PRAGMA main.cache_size = -${CACHE_KIB}; PRAGMA temp.cache_size = -${CACHE_KIB}`,
    );
    this.#isUtf8 = this.all("PRAGMA encoding")[0]?.[0] === "UTF-8";
  }

  close(): void {
    this.#connection.close();
  }

  run(sql: string): void {
    this.#connection.exec(sql);
  }

  all(sql: string): Cell[][] {
    return this.#connection.prepare(sql).all() as Cell[][];
  }

  /** The rows of a statement one by one. */
  *each(sql: string): Generator<Cell[], void, void> {
    const iterator = this.#connection.prepare(sql).iterate();
    let ended = false;
    try {
      for (let step = iterator.next(); step.done !== true; step = iterator.next()) yield step.value as Cell[];
      ended = true;
    } finally {
      if (!ended) iterator.return?.();
    }
  }

  /** SQL for the text of an expression, to be read by {@link text}; at least `maxCharacters` of a longer one. */
  textSql(expression: string, maxCharacters: number): string {
    return this.#isUtf8
      ? `substr(CAST(${expression} AS BLOB), 1, ${CHARACTER_BYTES * maxCharacters})`
      : `substr(${expression}, 1, ${maxCharacters})`;
  }

  /**
   * SQL that holds of texts of at most so many characters, and of some longer ones; texts of which it does not
   * hold need not be read.
   */
  mayFitSql(expression: string, maxCharacters: number): string {
    return `octet_length(${expression}) <= ${CHARACTER_BYTES * maxCharacters}`;
  }

  /** What {@link textSql} read of a text, with the same bound: `null` where it is not UTF-8. */
  text(cell: Cell | undefined, maxCharacters: number): string | null {
    try {
      return this.#decoded(cell, maxCharacters, true);
    } catch {
      return null;
    }
  }

  /** As {@link text}, with U+FFFD for what is not UTF-8. */
  repairedText(cell: Cell | undefined, maxCharacters: number): string {
    return this.#decoded(cell, maxCharacters, false);
  }

  #decoded(cell: Cell | undefined, maxCharacters: number, fatal: boolean): string {
    // A driver gives NULL for no bytes at all.
    if (!(cell instanceof Uint8Array)) return typeof cell === "string" ? cell : "";
    // A character that the cut went through is left out.
    const stream = cell.length === CHARACTER_BYTES * maxCharacters;
    return new TextDecoder("utf-8", { fatal, ignoreBOM: true }).decode(cell, { stream });
  }
}

/** The name of a table of the file, never that of a temporary one. */
export function mainTable(table: string): string {
  return `main.${quoteName(table)}`;
}

/**
 * What `read` gives, or `otherwise` where SQLite cannot read this part of the file.
 * @throws DISK_FULL when sorts have no room to spill, and what SQLite says when the machine is at fault otherwise.
 */
export function readOr<T>(read: () => T, otherwise: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (!MACHINE_FAULTS.test(messageOf(thrown))) return otherwise();
    if (!/disk is full/i.test(messageOf(thrown))) throw thrown;
    throw new GradusError("DISK_FULL", "cannot profile a database: no space is left for temporary files", {
      hint: "free some space where temporary files lie (TMPDIR), about twice the database's size",
      cause: thrown,
    });
  }
}
