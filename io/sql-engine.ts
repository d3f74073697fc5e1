import { GradusError, messageOf } from "../core/errors.ts";
import type { Cell, Execution, ExecutionLimits, ExecutionStatus, ResultTable } from "../core/execution.ts";
import { significantTokens } from "../sql/lexer.ts";
import { checkStatement, DEFAULT_MAX_STATEMENT_CHARACTERS } from "../sql/statement-check.ts";
import type { StatementCheck, StatementMode } from "../sql/statement-check.ts";
import { FileFacts } from "./file-facts.ts";
import { Reading } from "./row-reading.ts";
import { joinedTables } from "./row-bound.ts";
import { rememberRowHashes } from "./row-hashes.ts";
import type { RowHashes } from "./row-hashes.ts";
import { AccessLog, createAuthorizer } from "./sql-authorizer.ts";
import { openConnection } from "./sql-driver.ts";
import type { SqlConnection, SqlRowIterator, SqlStatement } from "./sql-driver.ts";
import { joinTextBytes, withTextBytes } from "./sql-text.ts";
import { digestRows } from "./sql-values.ts";

/** The longest text, blob or row that SQLite makes, in bytes; more is its error "string or blob too big". */
const MAX_VALUE_BYTES = 128 * 1024 * 1024;

/** The longest message of a run; SQLite's own can quote a whole statement. */
const MAX_MESSAGE_CHARACTERS = 1000;

/** Statements that SQLite knows and that are refused unrun; any other first word is a syntax error. */
const KNOWN_VERBS: ReadonlySet<string> = new Set([
  "alter",
  "analyze",
  "attach",
  "begin",
  "commit",
  "create",
  "delete",
  "detach",
  "drop",
  "end",
  "explain",
  "insert",
  "pragma",
  "reindex",
  "release",
  "replace",
  "rollback",
  "savepoint",
  "update",
  "vacuum",
  "with",
]);

export interface SqlEngineOptions {
  readonly mode: StatementMode;
  /** What is known of the file; shared by the engines of one unchanged file. */
  readonly facts?: FileFacts;
  /**
   * Whether results that cannot be very large may be read at once. It changes no result, unless rows are so
   * wide that memory runs out first.
   */
  readonly readsAtOnce?: boolean;
  /** Whether tables are read in the reverse order where nothing says which. */
  readonly readsInReverse?: boolean;
  /** Called when a run turns from the statement itself to a scan of the file's columns, and back. */
  readonly onPhase?: (phase: "statement" | "scan") => void;
}

/**
 * Runs untrusted SQL on one database file, read-only, with double-quoted string literals as SQLite's own
 * shell and Python have them. Only reading passes its authorizer. It sets no limit on time or memory, so it
 * belongs in a worker process. One engine is one connection: nothing of a statement outlives it.
 */
export class SqlEngine {
  readonly #connection: SqlConnection;
  readonly #log = new AccessLog();
  readonly #options: SqlEngineOptions;
  readonly #facts: FileFacts;
  #utf8: boolean | undefined;

  private constructor(connection: SqlConnection, options: SqlEngineOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#facts = options.facts ?? new FileFacts();
  }

  /** Opens a file. @throws DATABASE_UNREADABLE when SQLite cannot open it. */
  static open(path: string, options: SqlEngineOptions): SqlEngine {
    try {
      const connection = openConnection(path, {
        readOnly: true,
        enableDoubleQuotedStringLiterals: true,
        readBigInts: true,
        returnArrays: true,
        limits: { length: MAX_VALUE_BYTES, attach: 0 },
      });
      if (options.readsInReverse === true) connection.exec("PRAGMA reverse_unordered_selects = ON");
      // One read transaction for all statements: the file is locked, and looked at for changes, once.
      connection.exec("BEGIN");
      const engine = new SqlEngine(connection, options);
      connection.setAuthorizer(createAuthorizer(options.mode, engine.#log));
      return engine;
    } catch (thrown) {
      throw new GradusError("DATABASE_UNREADABLE", `cannot open the database: ${messageOf(thrown)}`, {
        hint: "run gradus doctor on the dataset, or fetch the file again",
        cause: thrown,
      });
    }
  }

  close(): void {
    this.#connection.setAuthorizer(null);
    try {
      // The driver may keep a closed connection for long: what it keeps is neither a lock nor pages of the file.
      this.#connection.exec("COMMIT; PRAGMA shrink_memory");
    } catch {
      // The transaction has ended with a statement that ran out of memory or disk.
    }
    this.#connection.close();
  }

  /**
   * Runs one statement and reads its rows; never throws for what the statement does. A blank or
   * comment-only text is `empty` without columns, as in Python's `sqlite3`.
   */
  run(sql: string, limits: ExecutionLimits): ResultTable {
    const check = isPlainSelect(sql) ? PLAIN_SELECT : checkStatement(sql, this.#options.mode);
    if (!check.ok) return this.#ended(sql, refusalStatus(check, sql), check.message);
    if (check.kind === "empty") return this.#finished(sql, { rows: [], keys: [] }, NO_COLUMNS);
    const parameter = parameterIn(sql);
    if (parameter !== undefined) {
      return this.#ended(sql, "error", `the parameter ${parameter} has no value`);
    }
    try {
      return this.#runChecked(sql, limits);
    } catch (thrown) {
      if (this.#log.refused !== "") return this.#ended(sql, "denied", this.#log.refused);
      return this.#ended(sql, "error", messageOf(thrown));
    }
  }

  /**
   * Yields the rows of a statement that {@link run} admitted, without limits on rows or bytes.
   * @throws SQL_STATEMENT_FAILED when it fails on the way.
   */
  *stream(sql: string): Generator<readonly Cell[], void, void> {
    let iterator: SqlRowIterator | undefined;
    try {
      const columns = this.#connection.prepare(sql).columns().length;
      const exact = this.#isUtf8() ? withTextBytes(sql, columns, false) : null;
      iterator = this.#connection.prepare(exact ?? sql).iterate();
      for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
        const row = step.value as Cell[];
        yield exact === null ? row : joinTextBytes(row);
      }
      iterator = undefined;
    } catch (thrown) {
      iterator = undefined;
      throw new GradusError("SQL_STATEMENT_FAILED", messageOf(thrown), { cause: thrown });
    } finally {
      iterator?.return?.();
    }
  }

  /**
   * Runs a statement that {@link run} admitted to its end and keeps none of its rows, as cheaply as SQLite allows.
   * @throws SQL_STATEMENT_FAILED when it fails.
   */
  readThrough(sql: string): void {
    try {
      const iterator = this.#connection.prepare(sql).iterate();
      while (iterator.next().done !== true);
    } catch (thrown) {
      throw new GradusError("SQL_STATEMENT_FAILED", messageOf(thrown), { cause: thrown });
    }
  }

  #runChecked(sql: string, limits: ExecutionLimits): ResultTable {
    this.#log.clear();
    const statement = this.#connection.prepare(sql);
    const columns = new ColumnNames(statement);
    let reading = this.#read(sql, statement, limits);
    if (!reading.tooLarge && reading.hasText && this.#mayBeInexact(reading)) {
      const exact = withTextBytes(sql, columns.names.length, true);
      if (exact !== null) {
        reading = new Reading(limits, joinTextBytes).readFrom(this.#connection.prepare(exact).iterate());
      }
    }
    if (reading.tooLarge) {
      const ended = this.#ended(sql, "too_large", limitMessage(limits));
      const { names } = columns;
      const execution = { ...ended.execution, rows: reading.count, columns: names.length };
      return { ...ended, execution, columnNames: names };
    }
    if (reading.hashes !== undefined) return this.#finishedLarge(sql, reading.hashes, columns);
    return this.#finished(sql, reading, columns);
  }

  /**
   * Reads the rows of a statement: one by one, so that a limit stops it, or all at once, which is cheaper,
   * where its tables are small enough to be read before the limits are looked at.
   */
  #read(sql: string, statement: SqlStatement, limits: ExecutionLimits): Reading {
    const reading = new Reading(limits, null);
    const { reads } = this.#log;
    const joined = this.#options.readsAtOnce === true && reads.length > 0 ? joinedTables(sql) : 0;
    if (joined > 0 && this.#facts.mostRows(reads, joined, this.#connection) <= MAX_ROWS_AT_ONCE) {
      return reading.readAll(statement.all());
    }
    return reading.readFrom(statement.iterate());
  }

  /** Whether text that was read can differ from what is stored: invalid UTF-8, or cut off at a NUL. */
  #mayBeInexact(reading: Reading): boolean {
    const { reads, makesNul } = this.#log;
    if (!reading.hasReplacement && !makesNul) {
      this.#log.clear();
      let scanned = false;
      const holdsNul = this.#facts.anyNul(reads, this.#connection, () => {
        scanned = true;
        this.#options.onPhase?.("scan");
      });
      if (scanned) this.#options.onPhase?.("statement");
      if (!holdsNul) return false;
    }
    return this.#isUtf8();
  }

  /** Whether the file keeps text as UTF-8: bytes of UTF-16 text would say nothing of it. */
  #isUtf8(): boolean {
    if (this.#utf8 === undefined) {
      this.#connection.setAuthorizer(null);
      try {
        const rows = this.#connection.prepare("PRAGMA encoding").iterate();
        this.#utf8 = (rows.next().value as Cell[])[0] === "UTF-8";
        rows.return?.();
      } finally {
        this.#connection.setAuthorizer(createAuthorizer(this.#options.mode, this.#log));
      }
    }
    return this.#utf8;
  }

  #finished(
    sql: string,
    { rows, keys }: Pick<Reading, "rows" | "keys">,
    columns: { readonly names: readonly string[] },
  ): ResultTable {
    const execution: Execution = {
      status: rows.length === 0 ? "empty" : "ok",
      message: "",
      rows: rows.length,
      columns: rows[0]?.length ?? columns.names.length,
      ...digestRows(rows, keys),
    };
    return {
      execution,
      get columnNames() {
        return columns.names;
      },
      rows,
      stream: () => this.stream(sql),
    };
  }

  /** The table of a large result: its rows are read again when someone wants them. */
  #finishedLarge(
    sql: string,
    hashes: RowHashes,
    columns: { readonly names: readonly string[] },
  ): ResultTable {
    let rows: readonly (readonly Cell[])[] | undefined;
    const readAgain = (): readonly (readonly Cell[])[] => [...this.stream(sql)];
    const table: ResultTable = {
      execution: {
        status: "ok",
        message: "",
        rows: hashes.count,
        columns: hashes.columns,
        ...hashes.digests(),
      },
      get columnNames() {
        return columns.names;
      },
      get rows() {
        rows ??= readAgain();
        return rows;
      },
      stream: () => this.stream(sql),
    };
    rememberRowHashes(table, hashes);
    return table;
  }

  #ended(sql: string, status: ExecutionStatus, message: string): ResultTable {
    return endedTable(status, message, () => this.stream(sql));
  }
}

const NO_COLUMNS = { names: [] };

/** The names of a statement's columns, asked for only when someone wants them: they cost as much as a small query. */
class ColumnNames {
  readonly #statement: SqlStatement;
  #names: readonly string[] | undefined;

  constructor(statement: SqlStatement) {
    this.#statement = statement;
  }

  get names(): readonly string[] {
    this.#names ??= this.#statement.columns().map((column) => column.name);
    return this.#names;
  }
}

/** The table of a run that has no rows to show: refused, failed, killed or cut off. A long message is cut. */
export function endedTable(
  status: ExecutionStatus,
  message: string,
  stream: () => Iterable<readonly Cell[]> = () => [],
): ResultTable {
  return {
    execution: { status, message: shortened(message), rows: 0, columns: 0, digest: "", orderedDigest: "" },
    columnNames: [],
    rows: [],
    stream,
  };
}

function shortened(message: string): string {
  if (message.length <= MAX_MESSAGE_CHARACTERS) return message;
  return `${message.slice(0, MAX_MESSAGE_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/** A result of more possible rows is read row by row. */
const MAX_ROWS_AT_ONCE = 200_000;

const PLAIN_SELECT = { ok: true, kind: "select" } as const;

/**
 * Whether a text begins with SELECT and has no `;` but at its very end: then it is one statement that the
 * authorizer and SQLite's parser judge alone, and the check of its tokens, which costs as much as a small
 * query, can say nothing more.
 */
function isPlainSelect(sql: string): boolean {
  if (!/^\s*select\b/i.test(sql) || sql.length > DEFAULT_MAX_STATEMENT_CHARACTERS) return false;
  const end = sql.indexOf(";");
  return (end === -1 || end === sql.length - 1) && !sql.includes("\0");
}

function refusalStatus(check: Extract<StatementCheck, { ok: false }>, sql: string): ExecutionStatus {
  if (check.reason === "unterminated" || check.reason === "nul_character") return "error";
  if (check.reason !== "not_a_query") return "denied";
  const first = significantTokens(sql).find((token) => token.text !== ";");
  return first !== undefined && KNOWN_VERBS.has(first.text.toLowerCase()) ? "denied" : "error";
}

/** The first parameter of a statement: none can be given a value, and Python's `sqlite3` refuses to guess. */
function parameterIn(sql: string): string | undefined {
  if (!/[?:@$]/.test(sql)) return undefined;
  return significantTokens(sql).find((token) => token.kind === "parameter")?.text;
}

function limitMessage(limits: ExecutionLimits): string {
  return `more than ${limits.maxRows} rows or ${limits.maxBytes} bytes`;
}
