import path from "node:path";
import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import { sha256 } from "../core/key.ts";
import { ShardFile } from "../core/rows.ts";
import {
  ExportRow,
  type Exporter,
  type ShardCells,
  type ShardContent,
  type ShardForm,
  type ShardSideFile,
} from "../core/shard.ts";
import { Reject } from "../core/reject.ts";
import { defineStage, type Rows, type StageContext } from "../core/stage.ts";
import { digestFile, listFolder, makeFolder, move, writeWhole } from "../io/files.ts";
import { LineWriter } from "../io/line-writer.ts";
import { FunnelCount } from "./count-funnel.ts";
import { type CardFacts, datasetCard, simulatedShare } from "./dataset-card.ts";
import { recipeLock } from "./recipe-lock.ts";
import { type Part, readFacts, ShardRows } from "./shard-rows.ts";

/** Options of {@link exportStage}. */
export const ExportOptions = z.strictObject({
  /** The exporter, by id, and its own options. */
  exporter: z.string().min(1),
  options: z.record(z.string(), z.json()).default({}),
  /** A split of more rows is cut into files of at most this many. */
  rowsPerFile: z.int().positive().default(50_000),
  /** Whether each level of the curriculum has files of its own, in order: `train-stage00-…`. */
  staged: z.boolean().default(false),
  /** The heading of the dataset card. */
  datasetName: z.string().min(1),
  /** A licence identifier as the Hugging Face Hub spells it. */
  license: z.string().min(1),
  /** Where the questions come from. */
  sources: z
    .array(
      z.strictObject({
        name: z.string(),
        split: z.string(),
        release: z.string().nullable(),
        license: z.string(),
      }),
    )
    .default([]),
  /** How the rows were made, for the dataset card. */
  recipe: z.json(),
});
export type ExportOptions = z.infer<typeof ExportOptions>;

const stageParts = {
  version: 2,
  outputs: { files: ShardFile, rejects: Reject },
  options: ExportOptions,
  plugs: (options: ExportOptions) => [{ kind: "exporter", id: options.exporter } as const],
  sources: async (options: ExportOptions, _runtime: unknown, plugs: StageContext["plugs"]) => {
    const exporter = await plugs.find("exporter", options.exporter);
    const files = exporter.files?.(exporterOptions(exporter, options.options)) ?? [];
    return files.map((file, place) => ({ name: `${place} ${path.basename(file)}`, path: file }));
  },
};

/**
 * Writes the shards of one exporter, with dataset card, lock of the recipe and checksums, into the stage's folder:
 * `train-00000-of-00002.parquet`, …, `README.md`, `recipe.lock.yaml`, `checksums.sha256`, and what the trainer needs
 * beside them. Takes train rows, then validation rows, each in the order of its shard, and holds one row at a time.
 * A row that the exporter or its columns cannot hold becomes a reject, and those after it move up: `index` is dense
 * in what is written. An empty validation split has no file.
 * @throws EXPORT_NOTHING when no train row is left; EXPORT_OPTIONS_INVALID, EXPORT_FOLDER_NOT_EMPTY,
 * STAGE_ORDER_BROKEN, DISK_FULL, FILE_FORBIDDEN, PARQUET_FAILED.
 */
export const exportStage = defineStage({
  ...stageParts,
  name: "export",
  inputs: { rows: ExportRow },
  run: ({ inputs, options, context }) => writeShards(inputs.rows, [], { options, context }),
});

/** {@link exportStage} with the way of the questions and answers in the card. */
export const exportWithFunnelStage = defineStage({
  ...stageParts,
  name: "export",
  inputs: { rows: ExportRow, funnel: FunnelCount },
  async *run({ inputs, options, context }) {
    const funnel: FunnelCount[] = [];
    for await (const line of inputs.funnel()) funnel.push(line);
    yield* writeShards(inputs.rows, funnel, { options, context });
  },
});

async function* writeShards(
  rows: Rows<ExportRow>,
  funnel: readonly FunnelCount[],
  { options, context }: { readonly options: ExportOptions; readonly context: StageContext },
) {
  const exporter = await context.plugs.find("exporter", options.exporter);
  const given = exporterOptions(exporter, options.options);
  await checkEmpty(context.folder);
  const facts = await readFacts(exporter.readsFacts?.(given) === true ? rows : null, options.datasetName);
  const form = await exporter.open(given, facts);
  const source = new ShardRows(rows(), { exporter, form, context, staged: options.staged });
  const parts: Part[] = [];
  try {
    for (let next = await source.peek(); next !== null; next = await source.peek()) {
      const file = path.join(context.folder, `part-${parts.length}`);
      const taken = source.take(next, options.rowsPerFile);
      const written = await writePart(file, { exporter, form, rows: taken });
      parts.push({ split: next.split, stage: next.stage, file, rows: written, sourceRows: source.lastTaken });
      for (const row of source.takeRejects()) yield { port: "rejects", row } as const;
    }
    for (const row of source.takeRejects()) yield { port: "rejects", row } as const;
  } finally {
    await source.close();
  }
  if (source.counts.train.rows === 0) throw nothingToWrite(exporter, source);
  const files = await nameParts(parts, { exporter, folder: context.folder, staged: options.staged });
  const { datasetName, license, recipe, sources } = options;
  const told = { datasetName, license, recipe, sources, funnel, exporter, form, files };
  const card: CardFacts = {
    ...told,
    exporterOptions: withoutPaths(options.options, exporter.files?.(given) ?? []),
    splits: source.counts,
    prompts: source.prompts,
  };
  const content: ShardContent = { datasetName, files, ...source.content() };
  await writeBeside(card, content, context.folder);
  const share = simulatedShare(source.counts);
  if (share !== null) {
    context.warn(`${exporter.id}: ${share} were shaped by a simulated model: not for training a real one`);
  }
  for (const row of files) yield { port: "files", row } as const;
}

/** An exporter's own options, read. @throws EXPORT_OPTIONS_INVALID. */
function exporterOptions(exporter: Exporter, given: ExportOptions["options"]): unknown {
  const parsed = exporter.options.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new GradusError(
    "EXPORT_OPTIONS_INVALID",
    `cannot use the options of ${exporter.id}: ${z.prettifyError(parsed.error)}`,
    { site: { stage: "export", plug: exporter.id }, hint: "they stand in export.options of the config" },
  );
}

/** Options with the names of files in place of where they lie, which differs from machine to machine. */
function withoutPaths(options: ExportOptions["options"], files: readonly string[]): ExportOptions["options"] {
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [
      name,
      typeof value === "string" && files.includes(value) ? path.basename(value) : value,
    ]),
  );
}

async function checkEmpty(folder: string): Promise<void> {
  const [first] = await listFolder(folder);
  if (first === undefined) return;
  throw new GradusError(
    "EXPORT_FOLDER_NOT_EMPTY",
    `cannot write shards into ${folder}: it holds ${first}, expected nothing`,
    {
      site: { stage: "export", file: path.join(folder, first) },
      hint: "a trainer would read what is in the folder as well: empty it, or write elsewhere",
    },
  );
}

/** Writes one shard file; returns how many rows it holds. */
async function writePart(
  file: string,
  { exporter, form, rows }: { exporter: Exporter; form: ShardForm; rows: AsyncIterable<ShardCells> },
): Promise<number> {
  if (exporter.format === "parquet") {
    const { writeParquet } = await import("../io/parquet.ts");
    return (await writeParquet(file, form.columns, rows, { checked: true })).rows;
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
async function nameParts(
  parts: readonly Part[],
  { exporter, folder, staged }: { exporter: Exporter; folder: string; staged: boolean },
): Promise<ShardFile[]> {
  const files: ShardFile[] = [];
  for (const part of parts) {
    const alike = parts.filter(({ split, stage }) => split === part.split && stage === part.stage);
    const [place, total] = [alike.indexOf(part), alike.length].map((n) => String(n).padStart(5, "0"));
    const stage = staged ? `-stage${String(part.stage).padStart(2, "0")}` : "";
    const name = `${part.split}${stage}-${place}-of-${total}.${exporter.format}`;
    const at = exporter.ownFolders === true ? `${part.split}/${name}` : name;
    await makeFolder(path.dirname(path.join(folder, at)));
    await move(part.file, path.join(folder, at));
    const digest = await digestFile(path.join(folder, at));
    const { rows, sourceRows } = part;
    const from = rows === sourceRows ? {} : { sourceRows };
    files.push({ exporter: exporter.id, split: part.split, path: at, rows, ...from, ...digest });
  }
  return files;
}

/** Writes what stands beside the shards, the checksums last. */
async function writeBeside(card: CardFacts, content: ShardContent, folder: string): Promise<void> {
  const beside: ShardSideFile[] = [
    { path: "README.md", text: datasetCard(card) },
    { path: "recipe.lock.yaml", text: recipeLock(card) },
    ...(card.form.sideFiles?.(content) ?? []),
  ];
  for (const { path: name, text } of beside) {
    await makeFolder(path.dirname(path.join(folder, name)));
    await writeWhole(path.join(folder, name), text);
  }
  const sums = [
    ...card.files,
    ...beside.map(({ path: name, text }) => ({ path: name, sha256: sha256(text) })),
  ];
  const lines = sums.map((file) => `${file.sha256}  ${file.path}\n`);
  await writeWhole(path.join(folder, "checksums.sha256"), lines.join(""));
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
