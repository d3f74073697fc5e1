import path from "node:path";
import { GradusError } from "../../core/errors.ts";
import { accuracyOf } from "../accuracy.ts";
import { DatasetConfig, RunConfig } from "../config.ts";
import { evaluationPipeline } from "../evaluate.ts";
import { findDatasets } from "../find-datasets.ts";
import { interruptSignal } from "../interrupt.ts";
import { officialTablesOf, type SystemTables } from "../official-tables.ts";
import { createPlugFinder } from "../plugs.ts";
import { renderOfficialTables } from "../render-official-table.ts";
import { renderGroups } from "../render-summary.ts";
import { runInFolder } from "../run-in-folder.ts";
import { defaultWorkers } from "../run-services.ts";
import {
  type CliCommand,
  type CommonOptions,
  listOption,
  pathRoots,
  printJson,
  printText,
  reporterFor,
  wholeNumber,
  withCommonOptions,
  writeError,
} from "./command.ts";

interface Options extends CommonOptions {
  readonly predictions: string[];
  readonly dataset: string;
  readonly root?: string;
  readonly split: string;
  readonly release?: string;
  readonly metrics: string;
  readonly format?: string;
  readonly partial?: boolean;
  readonly workers?: string;
  readonly name?: string;
}

/** `gradus evaluate --predictions`: judges prediction files against a split. */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(
      program
        .command("evaluate")
        .description("judge prediction files against a split of a dataset")
        .requiredOption("--predictions <files...>", "prediction files, each a system of its own")
        .requiredOption("--dataset <loader>", "id of the dataset's loader")
        .requiredOption("--split <name>", "split of the dataset")
        .option("--root <dir>", "folder in the official layout (default: <loader> below the data root)")
        .option("--release <name>", "release to insist on")
        .option("--metrics <ids>", "metrics and labels, separated by commas", "bird-ex")
        .option("--format <id>", "format of the prediction files (default: recognised)")
        .option("--partial", "allow questions without a prediction")
        .option("--workers <n>", "worker processes (default: one a core)")
        .option("--name <name>", "name of the run (default: evaluate-<dataset>-<split>)"),
    )
      .addHelpText(
        "after",
        "\nA question whose gold cannot be run is counted apart, never scored. The official tables come after the groups.\n\nExample:\n  gradus evaluate --predictions dev.sql --dataset spider --root ~/data/spider --split dev",
      )
      .action(evaluate);
  },
};

async function evaluate(options: Options): Promise<void> {
  const ids = listOption("--metrics", options.metrics);
  const interrupt = interruptSignal(writeError);
  const roots = pathRoots(options, process.cwd());
  const workers =
    options.workers === undefined ? defaultWorkers() : wholeNumber("--workers", options.workers, 1);
  const dataset = DatasetConfig.parse({
    loader: options.dataset,
    root: options.root ?? options.dataset,
    split: options.split,
    release: options.release ?? null,
  });
  const config = {
    datasets: [dataset],
    prompt: RunConfig.shape.prompt.parse({ valuesPerColumn: 0 }),
    judge: await judgeOptions(ids),
  };
  try {
    const found = await findDatasets(config.datasets, createPlugFinder(), roots);
    const files = options.predictions.map((file) => path.resolve(file));
    const { format = null, partial = false } = options;
    const concurrency = Math.max(16, workers * 16);
    const pipeline = evaluationPipeline({
      config,
      ...found,
      files,
      model: null,
      format,
      partial,
      concurrency,
    });
    const name = options.name ?? `evaluate-${options.dataset}-${options.split}`;
    const { result, store } = await runInFolder(
      { pipeline, runFolder: path.join(roots.runsFolder, name), seed: 1, until: null, dryRun: false },
      {
        databaseFolders: found.databaseFolders,
        workers,
        reporter: reporterFor(options),
        signal: interrupt.signal,
      },
      { command: "evaluate", ...config, predictions: files.map((file) => path.basename(file)) },
    );
    const accuracy = await accuracyOf(result, store);
    const hardness = ids.includes("spider-hardness");
    const systems = await officialTablesOf({ pipeline, result, store, step: "accuracy", hardness });
    if (options.json === true) printJson({ name, accuracy, systems });
    else printText([renderGroups(accuracy), ...systems.flatMap(renderSystem)].join("\n\n"));
  } finally {
    interrupt.release();
  }
}

/** Metrics and labels apart. Throws `USAGE` where no metric is among them, or one that only `gradus score` measures. */
async function judgeOptions(ids: readonly string[]): Promise<RunConfig["judge"]> {
  const plugs = createPlugFinder();
  const found = await Promise.all(ids.map((id) => plugs.find("metric", id)));
  const metrics = found.filter((plug) => plug.kind === "metric");
  const measured = metrics.find(({ needs }) => needs.timings === true);
  if (metrics.length === 0) throw new GradusError("USAGE", "--metrics names no metric");
  if (measured !== undefined) {
    throw new GradusError("USAGE", `--metrics names ${measured.id}, which is a measurement`, {
      hint: `measure with gradus score --metrics ${measured.id}`,
    });
  }
  const defaults = RunConfig.shape.judge.parse({ metrics: metrics.map(({ id }) => id) });
  const labels = found.filter((plug) => plug.kind === "label").map(({ id }) => id);
  return { ...defaults, labels: [...new Set([...defaults.labels, ...labels])] };
}

function renderSystem({ model, tables }: SystemTables): string[] {
  return tables.length === 0 ? [] : [`${model.name}\n${renderOfficialTables(tables)}`];
}

export default command;
