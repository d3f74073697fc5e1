import { createRequire } from "node:module";

/** What an SQLite authorizer is asked: the action's code and its first two names. Returns 0 to allow, 1 to refuse. */
export type SqlAuthorizer = (action: number, first: string | null, second: string | null) => number;

export interface SqlRowIterator {
  next(): { readonly done?: boolean; readonly value: unknown };
  return?(): unknown;
}

export interface SqlStatement {
  columns(): readonly { readonly name: string }[];
  iterate(): SqlRowIterator;
  all(): unknown[];
}

/** The part of `node:sqlite`'s `DatabaseSync` that is used. */
export interface SqlConnection {
  prepare(sql: string): SqlStatement;
  exec(sql: string): void;
  close(): void;
  setAuthorizer(authorizer: SqlAuthorizer | null): void;
}

export interface SqlConnectionOptions {
  readonly readOnly: boolean;
  readonly enableDoubleQuotedStringLiterals?: boolean;
  readonly readBigInts?: boolean;
  readonly returnArrays?: boolean;
  readonly enableForeignKeyConstraints?: boolean;
  readonly limits?: { readonly length?: number; readonly attach?: number };
}

interface SqlModule {
  readonly DatabaseSync: new (path: string, options: SqlConnectionOptions) => SqlConnection;
}

interface SqlDriver {
  readonly name: "node:sqlite" | "@photostructure/sqlite";
  readonly module: SqlModule;
}

let driver: SqlDriver | undefined;

/** The SQLite of this process: Node's own where it has an authorizer, else its drop-in. */
export function sqlDriver(): SqlDriver {
  driver ??= findDriver();
  return driver;
}

/** Opens a database file. Throws what SQLite says when it cannot. */
export function openConnection(path: string, options: SqlConnectionOptions): SqlConnection {
  return new (sqlDriver().module.DatabaseSync)(path, options);
}

function findDriver(): SqlDriver {
  const builtin = process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as SqlModule | undefined;
  if (builtin !== undefined && "setAuthorizer" in builtin.DatabaseSync.prototype) {
    return { name: "node:sqlite", module: builtin };
  }
  const require = createRequire(import.meta.url);
  return { name: "@photostructure/sqlite", module: require("@photostructure/sqlite") as SqlModule };
}
