import path from "node:path";
import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import { sha256, type Json } from "../core/key.ts";
import { ShardFile } from "../core/rows.ts";
import { ExportRow, type Exporter } from "../core/shard.ts";
import { Reject } from "../core/reject.ts";
import { defineStage, type StageContext } from "../core/stage.ts";
import { digestFile, move, writeWhole } from "../io/files.ts";
import { LineWriter } from "../io/line-writer.ts";
import { shardRowProblem } from "../io/shard-row.ts";
import { datasetCard, simulatedShare } from "./dataset-card.ts";

/** Options of {@link exportStage}. */
export const ExportOptions = z.strictObject({
  /** The exporter, by id. */
  exporter: z.string().min(1),
  /** A split of more rows is cut into files of at most this many. */
  rowsPerFile: z.int().positive().default(50_000),
  /** The heading of the dataset card. */
  datasetName: z.string().min(1),
  /** A licence identifier as the Hugging Face Hub spells it. */
  license: z.string().min(1),
  /** How the rows were made, for the dataset card. */
  recipe: z.json(),
});
export type ExportOptions = z.infer<typeof ExportOptions>;

/**
 * Writes the shards of one exporter, with dataset card and checksums, into the stage's folder:
 * `train-00000-of-00002.parquet`, …, `README.md`, `checksums.sha256`. Takes train rows, then validation
 * rows, each in the order of its shard, and holds one row at a time. A row that the exporter or its columns
 * cannot hold becomes a reject, and those after it move up: `index` is dense in what is written. An empty
 * validation split has no file.
 * @throws EXPORT_NOTHING when no train row is left; STAGE_ORDER_BROKEN, DISK_FULL, FILE_FORBIDDEN,
 * PARQUET_FAILED.
 */
export const exportStage = defineStage({
  name: "export",
  version: 1,
  inputs: { rows: ExportRow },
  outputs: { files: ShardFile, rejects: Reject },
  options: ExportOptions,
  plugs: (options) => [{ kind: "exporter", id: options.exporter }],
  async *run({ inputs, options, context }) {
    const exporter = await context.plugs.find("exporter", options.exporter);
    const source = new ShardRows(inputs.rows(), exporter, context);
    const parts: Part[] = [];
    try {
      for (let next = await source.peek(); next !== null; next = await source.peek()) {
        const file = path.join(context.folder, `part-${parts.length}`);
        const rows = await writePart(file, exporter, source.take(next.split, options.rowsPerFile));
        parts.push({ split: next.split, file, rows });
        for (const row of source.takeRejects()) yield { port: "rejects", row } as const;
      }
      for (const row of source.takeRejects()) yield { port: "rejects", row } as const;
    } finally {
      await source.close();
    }
    if (source.counts.train.rows === 0) throw nothingToWrite(exporter, source);
    const files = await nameParts(parts, exporter, context.folder);
    const { datasetName, license, recipe } = options;
    const card = datasetCard({ datasetName, license, recipe, exporter, files, splits: source.counts });
    await writeCard(card, files, context.folder);
    const share = simulatedShare(source.counts);
    if (share !== null) {
      context.warn(`${exporter.id}: ${share} were shaped by a simulated model: not for training a real one`);
    }
    for (const row of files) yield { port: "files", row } as const;
  },
});

type Split = ShardFile["split"];

interface Part {
  readonly split: Split;
  readonly file: string;
  readonly rows: number;
}

interface ShardRow {
  readonly split: Split;
  readonly cells: Readonly<Record<string, Json>>;
}

/** The rows that the exporter takes, in order, one ahead; what it refuses gathers as rejects. */
class ShardRows {
  readonly counts = {
    train: { rows: 0, simulated: 0, refused: 0 },
    validation: { rows: 0, simulated: 0, refused: 0 },
  };
  readonly #rows: AsyncIterator<ExportRow>;
  readonly #exporter: Exporter;
  readonly #context: StageContext;
  #split: Split = "train";
  #ahead: ShardRow | null = null;
  #rejects: Reject[] = [];
  #firstRefusal = "";

  constructor(rows: AsyncIterable<ExportRow>, exporter: Exporter, context: StageContext) {
    this.#rows = rows[Symbol.asyncIterator]();
    this.#exporter = exporter;
    this.#context = context;
  }

  /** What the first refused row was refused for; empty when none was. */
  get firstRefusal(): string {
    return this.#firstRefusal;
  }

  /** The next row without taking it; `null` at the end. */
  async peek(): Promise<ShardRow | null> {
    while (this.#ahead === null) {
      this.#context.signal.throwIfAborted();
      const next = await this.#rows.next();
      if (next.done === true) return null;
      this.#ahead = this.#convert(next.value);
    }
    return this.#ahead;
  }

  /** Takes the next rows, as long as they are of `split`, at most `limit`. */
  async *take(split: Split, limit: number): AsyncGenerator<ShardRow["cells"]> {
    for (let taken = 0; taken < limit; taken += 1) {
      const next = await this.peek();
      if (next === null || next.split !== split) return;
      this.#ahead = null;
      yield next.cells;
    }
  }

  /** The rejects since the last call. */
  takeRejects(): readonly Reject[] {
    const rejects = this.#rejects;
    this.#rejects = [];
    return rejects;
  }

  async close(): Promise<void> {
    await this.#rows.return?.();
  }

  #convert(row: ExportRow): ShardRow | null {
    if (row.split === "train" && this.#split === "validation") throw orderBroken(row);
    this.#split = row.split;
    const counts = this.counts[row.split];
    const outcome = shardCells({ ...row, index: counts.rows }, this.#exporter);
    if ("refusal" in outcome) {
      counts.refused += 1;
      if (this.#firstRefusal === "") this.#firstRefusal = outcome.refusal;
      const rowId = row.trajectory?.id ?? row.example.id;
      this.#rejects.push({ rowId, code: "EXPORT_ROW_UNSUPPORTED", message: outcome.refusal });
      return null;
    }
    counts.rows += 1;
    if (row.simulated) counts.simulated += 1;
    this.#context.progress(this.counts.train.rows + this.counts.validation.rows);
    return { split: row.split, cells: outcome.cells };
  }
}

function shardCells(
  row: ExportRow,
  exporter: Exporter,
): { readonly cells: ShardRow["cells"] } | { readonly refusal: string } {
  try {
    const cells = exporter.row(row);
    const form = exporter.format === "parquet" ? "closed" : "open";
    const problem = shardRowProblem(cells, exporter.columns, form);
    return problem === null ? { cells } : { refusal: `cannot write the row: ${problem}` };
  } catch (thrown) {
    if (thrown instanceof GradusError && thrown.code === "EXPORT_ROW_UNSUPPORTED") {
      return { refusal: thrown.message };
    }
    throw thrown;
  }
}

/** Writes one shard file; returns how many rows it holds. */
async function writePart(
  file: string,
  exporter: Exporter,
  rows: AsyncIterable<ShardRow["cells"]>,
): Promise<number> {
  if (exporter.format === "parquet") {
    const { writeParquet } = await import("../io/parquet.ts");
    return (await writeParquet(file, exporter.columns, rows)).rows;
  }
  const writer = await LineWriter.open(file);
  try {
    for await (const row of rows) await writer.add(JSON.stringify(row));
    return (await writer.finish()).lines;
  } catch (thrown) {
    await writer.abandon();
    throw thrown;
  }
}

/** Gives the parts their final names, now that their number is known. */
async function nameParts(parts: readonly Part[], exporter: Exporter, folder: string): Promise<ShardFile[]> {
  const files: ShardFile[] = [];
  for (const part of parts) {
    const ofSplit = parts.filter((other) => other.split === part.split);
    const [place, total] = [ofSplit.indexOf(part), ofSplit.length].map((n) => String(n).padStart(5, "0"));
    const name = `${part.split}-${place}-of-${total}.${exporter.format}`;
    await move(part.file, path.join(folder, name));
    const digest = await digestFile(path.join(folder, name));
    files.push({ exporter: exporter.id, split: part.split, path: name, rows: part.rows, ...digest });
  }
  return files;
}

async function writeCard(card: string, files: readonly ShardFile[], folder: string): Promise<void> {
  await writeWhole(path.join(folder, "README.md"), card);
  const sums = [...files, { path: "README.md", sha256: sha256(card) }];
  const lines = sums.map((file) => `${file.sha256}  ${file.path}\n`);
  await writeWhole(path.join(folder, "checksums.sha256"), lines.join(""));
}

function orderBroken(row: ExportRow): GradusError {
  return new GradusError(
    "STAGE_ORDER_BROKEN",
    `row ${row.index} of train comes after a row of validation, expected all train rows first`,
    { site: { stage: "export", rowId: row.example.id }, hint: "order the rows by split, then by index" },
  );
}

function nothingToWrite(exporter: Exporter, { counts, firstRefusal }: ShardRows): GradusError {
  const { refused } = counts.train;
  const got = refused === 0 ? "no train row came in" : `all ${refused} train rows were refused`;
  return new GradusError(
    "EXPORT_NOTHING",
    `cannot write a ${exporter.id} set: ${got}, expected at least one`,
    {
      site: { stage: "export", plug: exporter.id },
      hint:
        refused === 0
          ? "look at what the steps before dropped: loosen the filter, or sample more"
          : `the first was refused because: ${firstRefusal}`,
    },
  );
}
