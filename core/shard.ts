import { z } from "zod";
import { Example } from "./example.ts";
import type { Json } from "./key.ts";
import { ToolSchema } from "./model.ts";
import { LinkedTable, Message, PlugUse, Trajectory } from "./trajectory.ts";

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

/**
 * Where a prompt comes from: `rollouts`, all of which saw the same; else it was opened as the config says, because the
 * rollouts of its scaffold saw different ones (`rollouts_differ`) or there are none (`no_rollout`).
 */
export const PromptSource = z.enum(["rollouts", "rollouts_differ", "no_rollout"]);
export type PromptSource = z.infer<typeof PromptSource>;

/** The schema of a question's database in three ways, where agents link schemas. */
export const LinkedSchemas = z.strictObject({
  /** The tables and columns that the first gold reads. */
  goldLinks: z.array(LinkedTable),
  /** The schema text of the whole database, and of what gold reads alone. */
  full: z.string(),
  oracle: z.string(),
});
export type LinkedSchemas = z.infer<typeof LinkedSchemas>;

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
  /** The scaffold of the prompt, or of the trajectory where there is one; `null` where nobody knows. */
  scaffold: PlugUse.nullable().default(null),
  /** The tools that requests carry beside the messages: those of native calls alone. */
  tools: z.array(ToolSchema).default([]),
  /** Names of all tools that the agent has, whichever way it is told of them. */
  toolNames: z.array(z.string()).default([]),
  /** Which agent of a pair it is: `sql` for one that works alone. */
  task: z.enum(["sql", "generator", "linker"]).default("sql"),
  /** `null` where no schema is linked. */
  linking: LinkedSchemas.nullable().default(null),
  /** Where a prompt to practise on comes from. */
  promptFrom: PromptSource.default("no_rollout"),
  /** Of a pair: a trajectory that failed behind the same prompt. */
  rejected: Trajectory.nullable().default(null),
});
export type ExportRow = z.infer<typeof ExportRow>;

/**
 * Which rows an exporter takes: examples to practise on, trajectories to imitate, right trajectories beside
 * wrong ones, or examples behind the single-turn prompt whatever agents saw.
 */
export type ShardSet = "rl" | "sft" | "pairs" | "baseline";

/** What an exporter knows of all its rows before it writes the first. */
export interface ShardFacts {
  /** Names of the tools of any row, in the order of their first row. */
  readonly toolNames: readonly string[];
  /** Tools that requests of any row carried, by name, in the same order. */
  readonly tools: readonly ToolSchema[];
  readonly datasetName: string;
}

/** The cells of a shard's row, by column. */
export type ShardCells = Readonly<Record<string, Json>>;

/** What a shard turned out to be, for files beside it. */
export interface ShardContent {
  readonly datasetName: string;
  readonly files: readonly { readonly split: ExportRow["split"]; readonly path: string }[];
  /** Rows of each split. */
  readonly rows: Readonly<Record<ExportRow["split"], number>>;
  /** The longest prompt and the longest whole row in UTF-8 bytes of their texts, tools included. */
  readonly longest: { readonly promptBytes: number; readonly rowBytes: number; readonly turns: number };
  /** Ids of the scaffolds of its rows. */
  readonly scaffolds: readonly string[];
}

/** A text file beside a shard. */
export interface ShardSideFile {
  /** Relative to the shard's folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** An exporter under its options: how its rows look. Pure. */
export interface ShardForm {
  /** For Parquet: the columns, in order. JSONL rows keep the order of their keys. */
  readonly columns: readonly ShardColumn[];
  /** What the target cannot say of a row; goes to the card and to `recipe.lock.yaml`. */
  readonly lossy: readonly string[];
  /** How to load the shards with the trainer: a few lines of Markdown for the dataset card. */
  readonly usage: string;
  /** The rows that stand for one; throws EXPORT_ROW_UNSUPPORTED for a row that the target cannot hold. */
  rows(row: ExportRow): readonly ShardCells[];
  /** What the trainer needs beside the shards. */
  sideFiles?(content: ShardContent): readonly ShardSideFile[];
}

/** Writes rows in the form that one trainer loads. Files are written by the export stage. */
export interface Exporter {
  readonly kind: "exporter";
  readonly id: string;
  readonly version: number;
  readonly format: "parquet" | "jsonl";
  readonly set: ShardSet;
  /** Its options, all with defaults but for what it cannot do without. */
  readonly options: z.ZodType;
  /** Whether each split has a folder of its own, for loaders that take all files of one. */
  readonly ownFolders?: boolean;
  /** Whether its form depends on {@link ShardFacts}: then rows are read twice. */
  readsFacts?(options: unknown): boolean;
  /** Files that its options name, which enter the step's key. */
  files?(options: unknown): readonly string[];
  open(options: unknown, facts: ShardFacts): ShardForm | Promise<ShardForm>;
}

/** An exporter without options. */
export interface PlainExporter extends Exporter, Omit<ShardForm, "rows" | "sideFiles"> {
  row(row: ExportRow): ShardCells;
}

/** Types an exporter plug without options, a row for a row; the file's stem is its id. */
export function defineExporter(
  exporter: Omit<PlainExporter, "kind" | "options" | "open" | "files" | "readsFacts"> &
    Pick<ShardForm, "sideFiles">,
): PlainExporter {
  const { columns, lossy, usage, row, sideFiles } = exporter;
  const form: ShardForm = {
    columns,
    lossy,
    usage,
    rows: (given) => [row(given)],
    ...(sideFiles === undefined ? {} : { sideFiles }),
  };
  return { ...exporter, kind: "exporter", options: z.strictObject({}), open: () => form };
}

/** Types an exporter plug with options; the file's stem is its id. */
export function defineExporterWithOptions<Options extends z.ZodType>(
  exporter: Omit<Exporter, "kind" | "options" | "open" | "files" | "readsFacts"> & {
    readonly options: Options;
    readsFacts?(options: z.infer<Options>): boolean;
    files?(options: z.infer<Options>): readonly string[];
    open(options: z.infer<Options>, facts: ShardFacts): ShardForm | Promise<ShardForm>;
  },
): Exporter {
  return { kind: "exporter", ...exporter } as unknown as Exporter;
}
