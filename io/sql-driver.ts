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

/** Connections opened since those that were closed were last freed. */
let opened = 0;

/** A closed connection holds some 150 kB, and freeing any number takes some milliseconds. */
const FREED_AT = 128;

/** The SQLite of this process: Node's own where it has an authorizer, else its drop-in. */
export function sqlDriver(): SqlDriver {
  driver ??= findDriver();
  return driver;
}

/** Opens a database file. Throws what SQLite says when it cannot. */
export function openConnection(path: string, options: SqlConnectionOptions): SqlConnection {
  opened += 1;
  return new (sqlDriver().module.DatabaseSync)(path, options);
}

/**
 * Frees the memory of closed connections, once there may be many: the drop-in has no way to end a statement, so that
 * SQLite keeps a closed connection until the collector has found all of its statements. For processes that open one
 * connection after the other, between two of them; does nothing in a process without `--expose-gc`.
 */
export async function freeClosedConnections(): Promise<void> {
  if (opened < FREED_AT || globalThis.gc === undefined) return;
  opened = 0;
  globalThis.gc();
  // What the collector found is ended in a turn of the event loop.
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function findDriver(): SqlDriver {
  const builtin = process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as SqlModule | undefined;
  if (builtin !== undefined && "setAuthorizer" in builtin.DatabaseSync.prototype) {
    return { name: "node:sqlite", module: builtin };
  }
  const require = createRequire(import.meta.url);
  return { name: "@photostructure/sqlite", module: require("@photostructure/sqlite") as SqlModule };
}
