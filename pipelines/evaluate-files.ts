import path from "node:path";
import type { AccuracyRow } from "./accuracy.ts";
import { accuracyOf } from "./accuracy.ts";
import { DatasetConfig, RunConfig } from "./config.ts";
import { evaluationPipeline } from "./evaluate.ts";
import type { EvaluationDocument } from "./evaluation-document.ts";
import type { EvaluatedParts } from "./evaluation-run.ts";
import { findDatasets } from "./find-datasets.ts";
import { finishEvaluation } from "./finish-evaluation.ts";
import { judgeOptions } from "./judge-options.ts";
import type { SystemTables } from "./official-tables.ts";
import type { PathRoots } from "./paths.ts";
import { createPlugFinder } from "./plugs.ts";
import type { Reporter } from "./reporter.ts";
import { runInFolder } from "./run-in-folder.ts";

/** Prediction files, and what they are held against. */
export interface FilesRequest {
  readonly files: readonly string[];
  /** Id of the dataset's loader. */
  readonly dataset: string;
  /** As a person gives it; the loader's id below the data root when `null`. */
  readonly root: string | null;
  readonly split: string;
  readonly release: string | null;
  /** Metrics and labels. */
  readonly metrics: readonly string[];
  readonly format: string | null;
  readonly partial: boolean;
  readonly golds: "unchecked" | "checked" | "graded";
  /** A run or shards to search for evaluated questions; `null` searches none. */
  readonly training: string | null;
  /** Of the run. */
  readonly name: string;
  /** What made the run, for its recipe. */
  readonly command: string;
}

export interface FilesOptions {
  readonly roots: PathRoots;
  readonly workers: number;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

/** Prediction files as they were judged. */
export interface EvaluatedFiles {
  readonly folder: string;
  readonly file: string;
  readonly document: EvaluationDocument;
  readonly accuracy: readonly AccuracyRow[];
  readonly systems: readonly SystemTables[];
  readonly parts: EvaluatedParts;
}

/** Questions in flight for each worker: enough that those of one database meet in a batch. */
const QUESTIONS_PER_WORKER = 512;

const STEPS = [{ accuracy: "accuracy", systems: "systems" }];

/**
 * Judges prediction files against a split, each a system of its own, and writes `evaluation.json`.
 * @throws USAGE, PLUG_UNKNOWN, DATASET_SPLIT_UNKNOWN, and what the runner throws.
 */
export async function evaluateFiles(request: FilesRequest, options: FilesOptions): Promise<EvaluatedFiles> {
  const { dataset: loader, split, release, name, metrics, golds, training } = request;
  const { roots, workers } = options;
  const plugs = createPlugFinder();
  const judge = await judgeOptions(metrics, plugs);
  const dataset = DatasetConfig.parse({ loader, root: request.root ?? loader, split, release });
  const config = { datasets: [dataset], prompt: RunConfig.shape.prompt.parse({ valuesPerColumn: 0 }), judge };
  const found = await findDatasets(config.datasets, plugs, roots);
  const files = request.files.map((file) => path.resolve(file));
  const { format, partial } = request;
  const concurrency = workers * QUESTIONS_PER_WORKER;
  const pipeline = evaluationPipeline({
    config,
    ...found,
    files,
    model: null,
    format,
    partial,
    concurrency,
    golds,
  });
  const folder = path.join(roots.runsFolder, name);
  const { result, store } = await runInFolder(
    { pipeline, runFolder: folder, seed: 1, until: null, dryRun: false },
    { ...options, databaseFolders: found.databaseFolders },
    { command: request.command, ...config, predictions: files.map((file) => path.basename(file)) },
  );
  const { file, document, official } = await finishEvaluation({
    pipeline,
    result,
    store,
    steps: STEPS,
    name,
    datasets: config.datasets,
    metrics: judge.metrics,
    goldCheck: "gold-check",
    goldGrades: "gold-grades",
    hardness: metrics.includes("spider-hardness"),
    training,
    runFolder: folder,
    runsFolder: roots.runsFolder,
    plugs,
  });
  const examples = pipeline.find(({ id }) => id === "accuracy")?.inputs["examples"] ?? EXAMPLES;
  const trajectories = [{ name: null, link: { step: "import", port: "trajectories" } }];
  return {
    folder,
    file,
    document,
    accuracy: await accuracyOf(result, store),
    systems: official.get("accuracy") ?? [],
    parts: { result, store, examples, trajectories },
  };
}

const EXAMPLES = { step: "load", port: "examples" };
