import { z } from "zod";
import { Example } from "./example.ts";
import type { Json } from "./key.ts";
import { Message, Trajectory } from "./trajectory.ts";

/** A column's type, always explicit: a shard's types never depend on its rows. */
export type ColumnType =
  | "string"
  | "int64"
  | "float64"
  | "bool"
  | { readonly list: ColumnType }
  | { readonly struct: Readonly<Record<string, ColumnType>> };

export interface ShardColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** What an exporter is given for one row: the example, its prompt, and for SFT the trajectory to learn. */
export const ExportRow = z.strictObject({
  /** Unique within a split and dense from 0: the order of the shard. */
  index: z.int().nonnegative(),
  split: z.enum(["train", "validation"]),
  example: Example,
  /** SHA-256 of the database file. */
  databaseDigest: z.string(),
  prompt: z.array(Message).min(1),
  trajectory: Trajectory.nullable(),
  /** Curriculum level from 0, or `null` for a set without one. */
  level: z.int().nonnegative().nullable(),
  hardness: z.string().nullable(),
  /** Scored samples and right ones over the pass-rate table; 0 and 0 where sampling stopped early. */
  n: z.int().nonnegative(),
  c: z.int().nonnegative(),
  /** Whether any sample that shaped this row came from a simulated model. */
  simulated: z.boolean(),
});
export type ExportRow = z.infer<typeof ExportRow>;

/**
 * Writes rows in the form that one trainer loads. Pure: files are written by the export stage. `row`
 * throws EXPORT_ROW_UNSUPPORTED for a row that the target cannot hold.
 */
export interface Exporter {
  readonly kind: "exporter";
  readonly id: string;
  readonly version: number;
  readonly format: "parquet" | "jsonl";
  /** Which set it takes: examples to practise on, or trajectories to imitate. */
  readonly set: "rl" | "sft";
  /** For Parquet: the columns, in order. JSONL rows keep the order of their keys. */
  readonly columns: readonly ShardColumn[];
  /** What the target cannot say of a row; goes to the manifest. */
  readonly lossy: readonly string[];
  /** How to load the shards with the trainer: a few lines of Markdown for the dataset card. */
  readonly usage: string;
  row(row: ExportRow): Readonly<Record<string, Json>>;
}

/** Types an exporter plug; the file's stem is its id. */
export function defineExporter(exporter: Omit<Exporter, "kind">): Exporter {
  return { kind: "exporter", ...exporter };
}
