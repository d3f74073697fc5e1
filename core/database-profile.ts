import { z } from "zod";
import { ForeignKey } from "./database.ts";
import { ShownCell } from "./sql-runner.ts";

/** Cells of a column by the type they are stored as. */
export const StoredTypes = z.strictObject({
  null: z.int().nonnegative(),
  integer: z.int().nonnegative(),
  real: z.int().nonnegative(),
  text: z.int().nonnegative(),
  blob: z.int().nonnegative(),
});
export type StoredTypes = z.infer<typeof StoredTypes>;

/** What is known of a column beyond its declaration. */
export const ColumnProfile = z.strictObject({
  name: z.string(),
  stored: StoredTypes,
  /** Distinct values that are not NULL. */
  distinct: z.int().nonnegative(),
  /** By SQLite's order of types, NULL left out; `null` where there is none. Long text is cut. */
  minimum: ShownCell,
  maximum: ShownCell,
  /** The most frequent values as SQL shows them, the more frequent first, then by text; long ones are cut. */
  samples: z.array(z.string()),
  /** What a person or a model wrote of it, in one line; empty when nothing is known. */
  description: z.string(),
});
export type ColumnProfile = z.infer<typeof ColumnProfile>;

export const TableProfile = z.strictObject({
  name: z.string(),
  rows: z.int().nonnegative(),
  description: z.string(),
  /** In the schema's order. */
  columns: z.array(ColumnProfile),
});
export type TableProfile = z.infer<typeof TableProfile>;

/** A foreign key that the data and the names suggest and no declaration gives. */
export const InferredForeignKey = ForeignKey.extend({
  evidence: z.strictObject({
    /** Distinct values of the referencing column, NULL left out. */
    distinct: z.int().nonnegative(),
    /** The share of them that the referenced column has, in [0, 1]. */
    contained: z.number().min(0).max(1),
    /** Which rule of names holds. */
    names: z.enum(["same_name", "table_and_column", "table_name"]),
  }),
});
export type InferredForeignKey = z.infer<typeof InferredForeignKey>;

/** Why values of a column are not in the search index. */
export const LeftOut = z.strictObject({
  table: z.string(),
  column: z.string(),
  reason: z.enum(["too_many_values", "long_values", "not_text", "index_full"]),
  /** Distinct values that are missing from the index. */
  values: z.int().nonnegative(),
});
export type LeftOut = z.infer<typeof LeftOut>;

/** What the search index of a database holds. */
export const SearchIndexReport = z.strictObject({
  names: z.int().nonnegative(),
  values: z.int().nonnegative(),
  leftOut: z.array(LeftOut),
});
export type SearchIndexReport = z.infer<typeof SearchIndexReport>;

/**
 * What a database's content says of it: computed once for each digest and set of options, and never written
 * into the database. A database that cannot be read has no tables here.
 */
export const DatabaseProfile = z.strictObject({
  databaseId: z.string().min(1),
  databaseDigest: z.string(),
  tables: z.array(TableProfile),
  inferredForeignKeys: z.array(InferredForeignKey),
  index: SearchIndexReport,
});
export type DatabaseProfile = z.infer<typeof DatabaseProfile>;
