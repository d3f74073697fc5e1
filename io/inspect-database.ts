import type { ColumnValues, Database, DatabaseSchema, ForeignKey, TableSchema } from "../core/database.ts";
import { messageOf } from "../core/errors.ts";
import type { InspectRequest } from "../core/inspector.ts";
import { databaseFileKind } from "./database-files.ts";
import { digestTestSuite } from "./digest-test-suite.ts";
import { digestFile } from "./files.ts";
import { openConnection } from "./sql-driver.ts";
import type { SqlConnection } from "./sql-driver.ts";
import { quoteName } from "./sql-text.ts";

/** What the queries of this file give: no blobs, no integers beyond 2^53. */
type PlainCell = string | number | null;

/** Rows of a table that are looked at for example values. */
const SCANNED_ROWS = 10_000;

/** Characters of an example value that are kept. */
const VALUE_CHARACTERS = 40;

/**
 * What a database file holds: status, digest, schema, row counts and example values. Example values of a
 * column are its first distinct ones, in the order of rowid (of the primary key in a table without one),
 * among the first 10,000 rows; NULL, blobs and empty text are passed over, longer ones are cut to 40
 * characters and are distinct by what is left. Everything of the content is read from `copyPath`, where
 * there is one; then the status is `wal`. Opens an untrusted file: for worker processes.
 */
export async function inspectDatabase(request: InspectRequest, copyPath: string | null): Promise<Database> {
  const { path: file } = request;
  const kind = file === null ? "missing" : await databaseFileKind(file);
  if (file === null || kind === "missing") {
    return unreadable(request, "missing", "there is no file of this database");
  }
  const digest = await digestFile(file);
  const suiteDigest = await digestTestSuite(file);
  const identified = {
    digest: digest.sha256,
    bytes: digest.bytes,
    ...(suiteDigest === null ? {} : { suiteDigest }),
  };
  if (kind === "not_a_database") {
    return { ...unreadable(request, "not_a_database", "it does not begin as an SQLite file"), ...identified };
  }
  try {
    const content = readContent(copyPath ?? file, request);
    const isJournaled = kind === "journaled";
    return {
      databaseId: request.databaseId,
      status: isJournaled ? "wal" : "ok",
      message: isJournaled ? "it is in write-ahead mode or has a journal, so it is read from a copy" : "",
      ...identified,
      ...content,
      describedForeignKeys: request.described?.foreignKeys ?? null,
    };
  } catch (thrown) {
    return { ...unreadable(request, "corrupt", messageOf(thrown)), ...identified };
  }
}

/** The row of a database that cannot be read: with the schema that the dataset describes. */
export function unreadable(
  request: InspectRequest,
  status: "missing" | "not_a_database" | "corrupt",
  message: string,
): Database {
  const { databaseId, described } = request;
  const schema = described ?? { databaseId, tables: [], foreignKeys: [] };
  const describedForeignKeys = described?.foreignKeys ?? null;
  return {
    databaseId,
    status,
    message,
    digest: "",
    bytes: 0,
    schema,
    describedForeignKeys,
    rowCounts: [],
    values: [],
  };
}

function readContent(
  file: string,
  request: InspectRequest,
): { schema: DatabaseSchema; rowCounts: number[]; values: ColumnValues[] } {
  const connection = openConnection(file, { readOnly: true, returnArrays: true });
  try {
    const verdict = String(read(connection, "PRAGMA quick_check(1)")[0]?.[0]);
    if (verdict !== "ok") throw new Error(verdict);
    const names = tableNames(connection);
    const tables = names.map((name) => readTable(connection, name, request.described));
    return {
      schema: {
        databaseId: request.databaseId,
        tables,
        foreignKeys: names.flatMap((name) => readForeignKeys(connection, name, tables)),
      },
      rowCounts: names.map((name) =>
        Number(read(connection, `SELECT count(*) FROM ${quoteName(name)}`)[0]?.[0]),
      ),
      values: tables.flatMap((table) => readValues(connection, table, request.valuesPerColumn)),
    };
  } finally {
    connection.close();
  }
}

function read(connection: SqlConnection, sql: string): PlainCell[][] {
  const rows: PlainCell[][] = [];
  const iterator = connection.prepare(sql).iterate();
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) {
    rows.push(step.value as PlainCell[]);
  }
  return rows;
}

/** Tables in the order in which they were created, without views, SQLite's own and modules' shadow tables. */
function tableNames(connection: SqlConnection): string[] {
  const listed = read(connection, "SELECT name FROM pragma_table_list WHERE type IN ('table', 'virtual')");
  const kept = new Set(listed.map((row) => String(row[0])));
  const created = read(connection, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid");
  return created
    .map((row) => String(row[0]))
    .filter((name) => kept.has(name) && !name.toLowerCase().startsWith("sqlite_"));
}

function readTable(connection: SqlConnection, name: string, described: DatabaseSchema | null): TableSchema {
  const description = described?.tables.find((table) => isSameName(table.name, name));
  const rows = read(connection, `PRAGMA table_info(${quoteName(name)})`);
  return {
    name,
    comment: description?.comment ?? "",
    columns: rows.map((row) => {
      const column = String(row[1]);
      return {
        name: column,
        type: String(row[2]),
        comment: description?.columns.find((other) => isSameName(other.name, column))?.comment ?? "",
        primaryKey: Number(row[5]),
      };
    }),
  };
}

function isSameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}

/** A table's keys in the order in which they were declared; one without named columns is to the primary key. */
function readForeignKeys(
  connection: SqlConnection,
  name: string,
  tables: readonly TableSchema[],
): ForeignKey[] {
  const rows = read(
    connection,
    `SELECT id, seq, "table", "from", "to" FROM pragma_foreign_key_list('${name.replaceAll("'", "''")}') ` +
      "ORDER BY id DESC, seq",
  );
  return rows.map(([, place, referencedTable, column, referencedColumn]) => {
    const target = String(referencedTable);
    const primaryKey = tables
      .find((table) => isSameName(table.name, target))
      ?.columns.find((other) => other.primaryKey === Number(place) + 1);
    return {
      table: name,
      column: String(column),
      referencedTable: target,
      referencedColumn: referencedColumn === null ? (primaryKey?.name ?? "") : String(referencedColumn),
    };
  });
}

function readValues(connection: SqlConnection, table: TableSchema, wanted: number): ColumnValues[] {
  if (wanted <= 0 || table.columns.length === 0) return [];
  const shown = table.columns.map(({ name }) => {
    const column = quoteName(name);
    return `CASE typeof(${column}) WHEN 'blob' THEN NULL ELSE substr(CAST(${column} AS TEXT), 1, ${VALUE_CHARACTERS}) END`;
  });
  const rows = connection
    .prepare(`SELECT ${shown.join(", ")} FROM ${quoteName(table.name)} ${rowOrder(connection, table)}`)
    .iterate();
  const found = table.columns.map(() => new Set<string>());
  for (let count = 0; count < SCANNED_ROWS && found.some(({ size }) => size < wanted); count += 1) {
    const step = rows.next();
    if (step.done === true) break;
    (step.value as PlainCell[]).forEach((cell, index) => {
      const values = found[index] as Set<string>;
      if (typeof cell === "string" && cell !== "" && values.size < wanted) values.add(cell);
    });
  }
  rows.return?.();
  return table.columns.map(({ name }, index) => ({
    table: table.name,
    column: name,
    values: [...(found[index] as Set<string>)],
  }));
}

/** ORDER BY the rowid, by a name that no column hides, else the primary key. */
function rowOrder(connection: SqlConnection, table: TableSchema): string {
  const columns = new Set(table.columns.map(({ name }) => name.toLowerCase()));
  const rowid = ["rowid", "_rowid_", "oid"].find((name) => !columns.has(name));
  if (rowid !== undefined) {
    try {
      const order = `ORDER BY ${rowid}`;
      connection.prepare(`SELECT 1 FROM ${quoteName(table.name)} ${order}`);
      return order;
    } catch {
      // A table WITHOUT ROWID.
    }
  }
  const key = table.columns
    .filter((column) => column.primaryKey > 0)
    .sort((left, right) => left.primaryKey - right.primaryKey);
  return key.length === 0 ? "" : `ORDER BY ${key.map(({ name }) => quoteName(name)).join(", ")}`;
}
