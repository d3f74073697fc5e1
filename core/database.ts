import { z } from "zod";

/** A column: `comment` is the dataset's description of it in one line, empty when there is none. */
export const ColumnSchema = z.strictObject({
  name: z.string(),
  /** The declared type as written, may be empty. */
  type: z.string(),
  comment: z.string(),
  /** 1-based position within the primary key; 0 when not part of it. */
  primaryKey: z.int().nonnegative(),
});
export type ColumnSchema = z.infer<typeof ColumnSchema>;

export const TableSchema = z.strictObject({
  name: z.string(),
  comment: z.string(),
  columns: z.array(ColumnSchema),
});
export type TableSchema = z.infer<typeof TableSchema>;

export const ForeignKey = z.strictObject({
  table: z.string(),
  column: z.string(),
  referencedTable: z.string(),
  referencedColumn: z.string(),
});
export type ForeignKey = z.infer<typeof ForeignKey>;

/** Tables in the order of their source, with keys. The source is a tables.json, or the file itself. */
export const DatabaseSchema = z.strictObject({
  databaseId: z.string().min(1),
  tables: z.array(TableSchema),
  foreignKeys: z.array(ForeignKey),
});
export type DatabaseSchema = z.infer<typeof DatabaseSchema>;

/** Why a database file can or cannot be used. `wal`: its header asks for write-ahead logging, or a journal lies beside it. */
export const DatabaseStatus = z.enum(["ok", "missing", "not_a_database", "corrupt", "wal"]);
export type DatabaseStatus = z.infer<typeof DatabaseStatus>;

/** Example values of one column, as SQL shows them; distinct, non-empty, at most a few. */
export const ColumnValues = z.strictObject({
  table: z.string(),
  column: z.string(),
  values: z.array(z.string()),
});
export type ColumnValues = z.infer<typeof ColumnValues>;

/**
 * A read-only SQLite file named by content digest, with its schema as the file has it. Holds no path: the
 * path is looked up under the dataset's root, so that rows are the same on every machine.
 */
export const Database = z.strictObject({
  databaseId: z.string().min(1),
  status: DatabaseStatus,
  /** What is wrong, for a person; empty when `ok`. */
  message: z.string(),
  /** SHA-256 of the file's bytes; empty when missing. */
  digest: z.string(),
  /**
   * Where it is a test suite of several files: a digest of the names and bytes of the others, on which some metrics
   * judge too. Absent where the file is alone or missing.
   */
  suiteDigest: z.string().optional(),
  bytes: z.int().nonnegative(),
  /** From the file when it can be read, else from the dataset's tables file. */
  schema: DatabaseSchema,
  /**
   * The foreign keys of the dataset's tables file, in its order, where it describes the database: official
   * parsers of exact match go by these. `null` where it does not.
   */
  describedForeignKeys: z.array(ForeignKey).nullable(),
  /** Rows per table, in the schema's order; empty when the file cannot be read. */
  rowCounts: z.array(z.int().nonnegative()),
  values: z.array(ColumnValues),
});
export type Database = z.infer<typeof Database>;

/** Whether queries can be run on it; a database in WAL mode is read from a clean copy. */
export function isReadable(database: Database): boolean {
  return database.status === "ok" || database.status === "wal";
}

/** Where a dataset keeps its databases; the first that exists wins. Absolute paths: never stored in a row. */
export interface DatabaseLocation {
  readonly databaseId: string;
  readonly candidates: readonly string[];
}
