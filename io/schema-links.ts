import type { DatabaseSchema } from "../core/database.ts";
import { messageOf } from "../core/errors.ts";
import { sharedColumns } from "../sql/shared-columns.ts";
import { checkStatement } from "../sql/statement-check.ts";
import { AccessLog, createAuthorizer } from "./sql-authorizer.ts";
import { openConnection } from "./sql-driver.ts";
import type { SqlConnection } from "./sql-driver.ts";
import { quoteName } from "./sql-text.ts";

/** A column as the schema spells it. */
export interface LinkedColumn {
  readonly table: string;
  readonly column: string;
}

/** Tables with at least one use and columns, each once, ordered by code unit. */
export interface SchemaLinks {
  readonly tables: readonly string[];
  readonly columns: readonly LinkedColumn[];
}

/** `message` is SQLite's, or says why the text is no single query. */
export type SchemaLinking =
  | ({ readonly ok: true } & SchemaLinks)
  | { readonly ok: false; readonly message: string };

/** Schemas whose empty databases stay open. */
const KEPT_DATABASES = 16;

const databases = new Map<DatabaseSchema, EmptyDatabase>();

/**
 * The tables and columns of the schema that a query reads, as SQLite itself resolves its names on a database that has
 * the schema's tables and no rows; double-quoted text that is no column is a value. The query is not run.
 *
 * - Every column named anywhere counts, in subqueries too; `*` is all columns of its table.
 * - The columns that USING and NATURAL compare count on both sides.
 * - `count(*)`, a constant and the rowid of a table without an integer key read a table without a column.
 * - Tables that the schema does not have (SQLite's own, table-valued functions) are left out.
 * - A common table expression that nothing reads does not count, but for its USING and NATURAL.
 *
 * Preparing a query takes time that its text does not bound: text that a model wrote belongs in a worker process.
 */
export function schemaLinks(sql: string, schema: DatabaseSchema): SchemaLinking {
  const check = checkStatement(sql, "query");
  if (!check.ok) return { ok: false, message: check.message };
  if (check.kind === "empty") return { ok: false, message: "the text has no statement" };
  return databaseOf(schema).read(sql);
}

function databaseOf(schema: DatabaseSchema): EmptyDatabase {
  const known = databases.get(schema);
  if (known !== undefined) {
    databases.delete(schema);
    databases.set(schema, known);
    return known;
  }
  const [oldest] = databases;
  if (oldest !== undefined && databases.size >= KEPT_DATABASES) {
    databases.delete(oldest[0]);
    oldest[1].close();
  }
  const opened = new EmptyDatabase(schema);
  databases.set(schema, opened);
  return opened;
}

interface EmptyTable {
  readonly name: string;
  /** Columns by their names in lower case. */
  readonly columns: ReadonlyMap<string, string>;
}

/** A database in memory with the tables of a schema. */
class EmptyDatabase {
  readonly #connection: SqlConnection;
  readonly #log = new AccessLog();
  readonly #tables = new Map<string, EmptyTable>();

  constructor(schema: DatabaseSchema) {
    this.#connection = openConnection(":memory:", {
      readOnly: false,
      enableDoubleQuotedStringLiterals: true,
      enableForeignKeyConstraints: false,
    });
    for (const table of schema.tables) this.#create(table);
    this.#connection.setAuthorizer(createAuthorizer("query", this.#log));
  }

  close(): void {
    this.#connection.close();
  }

  read(sql: string): SchemaLinking {
    this.#log.clear();
    try {
      this.#connection.prepare(sql);
    } catch (thrown) {
      return { ok: false, message: this.#log.refused === "" ? messageOf(thrown) : this.#log.refused };
    }
    const reads = [...this.#log.reads];
    const shared = sharedColumns(sql, {
      columnsOf: (table) => [...(this.#tables.get(table.toLowerCase())?.columns.values() ?? [])],
      outputOf: (query) => this.#outputOf(query),
    });
    const links = new LinkSet(this.#tables);
    for (let index = 0; index < reads.length; index += 2) {
      const [table = "", column = ""] = reads.slice(index, index + 2);
      // Without a column it is the name in FROM, which can be that of a common table expression.
      if (column !== "" || !shared.cteNames.has(table.toLowerCase())) links.add(table, column);
    }
    for (const { table, column } of shared.columns) links.add(table, column);
    for (const table of shared.tables) links.add(table, "");
    return { ok: true, ...links.sorted() };
  }

  #outputOf(query: string): readonly string[] {
    try {
      return this.#connection
        .prepare(query)
        .columns()
        .map((column) => column.name);
    } catch {
      return [];
    }
  }

  /** Types play no part in what is read, but for an integer key, which is the rowid by another name. */
  #create({ name, columns }: DatabaseSchema["tables"][number]): void {
    const spelled = new Map<string, string>();
    for (const column of columns) {
      if (!spelled.has(column.name.toLowerCase())) spelled.set(column.name.toLowerCase(), column.name);
    }
    const folded = name.toLowerCase();
    if (this.#tables.has(folded)) return;
    const keys = columns.filter((column) => column.primaryKey > 0);
    const rowid =
      keys.length === 1 && /^\s*integer\s*$/i.test(keys[0]?.type ?? "") ? keys[0]?.name : undefined;
    const definitions = [...spelled.values()].map((column) =>
      column === rowid ? `${quoteName(column)} INTEGER PRIMARY KEY` : quoteName(column),
    );
    this.#tables.set(folded, { name, columns: spelled });
    // A table without columns cannot be made; one of SQLite's own names is made by SQLite alone.
    if (folded === "sqlite_sequence") {
      this.#connection.exec("CREATE TABLE made(id INTEGER PRIMARY KEY AUTOINCREMENT); DROP TABLE made");
    } else if (definitions.length > 0 && !folded.startsWith("sqlite_")) {
      this.#connection.exec(`CREATE TABLE ${quoteName(name)} (${definitions.join(", ")})`);
    }
  }
}

class LinkSet {
  readonly #known: ReadonlyMap<string, EmptyTable>;
  readonly #links = new Map<string, Set<string>>();

  constructor(known: ReadonlyMap<string, EmptyTable>) {
    this.#known = known;
  }

  /** Adds a table, and a column of it where it has one of that name. */
  add(table: string, column: string): void {
    const known = this.#known.get(table.toLowerCase());
    if (known === undefined) return;
    const columns = this.#links.get(known.name) ?? new Set<string>();
    this.#links.set(known.name, columns);
    const spelled = known.columns.get(column.toLowerCase());
    if (spelled !== undefined) columns.add(spelled);
  }

  sorted(): SchemaLinks {
    const tables = [...this.#links.keys()].sort();
    const columns = tables.flatMap((table) =>
      [...(this.#links.get(table) ?? [])].sort().map((column) => ({ table, column })),
    );
    return { tables, columns };
  }
}
