import path from "node:path";
import { GradusError } from "../../core/errors.ts";
import { limitHeapGrowth } from "../../io/heap-growth.ts";
import { type EvaluatedFiles, evaluateFiles } from "../evaluate-files.ts";
import { type EvaluationRun, readEvaluationConfig, runEvaluation } from "../evaluation-run.ts";
import { exportPredictions, PREDICTION_FORMS, type PredictionForm } from "../export-predictions.ts";
import { interruptSignal } from "../interrupt.ts";
import type { SystemTables } from "../official-tables.ts";
import { renderEvaluation } from "../render-evaluation.ts";
import { renderOfficialTables } from "../render-official-table.ts";
import { renderGroups } from "../render-summary.ts";
import { defaultWorkers } from "../run-services.ts";
import {
  type CliCommand,
  type CommonOptions,
  listOption,
  namedByOptions,
  pathRoots,
  printJson,
  printText,
  reporterFor,
  wholeNumber,
  withCommonOptions,
  writeError,
} from "./command.ts";

interface Options extends CommonOptions {
  readonly predictions?: string[];
  readonly dataset?: string;
  readonly root?: string;
  readonly split?: string;
  readonly release?: string;
  readonly metrics?: string;
  readonly format?: string;
  readonly partial?: boolean;
  readonly by: string;
  readonly training?: string;
  readonly goldCheck: boolean;
  readonly grade?: boolean;
  readonly exportPredictions?: string;
  readonly outFormat?: string;
  readonly workers?: string;
  readonly name?: string;
}

/** Options that a config takes the place of. */
const OF_FILES = [
  "dataset",
  "root",
  "split",
  "release",
  "metrics",
  "format",
  "partial",
  "training",
  "grade",
] as const;

const GROUP_KINDS = ["hardness", "difficulty", "turn", "dataset", "database", "feature"];

const HELP = `
A question whose gold cannot be run is counted apart, never scored. The official tables come after the groups.
Everything is also in evaluation.json in the run's folder (docs/evaluation.md).

Example:
  gradus evaluate --predictions dev.sql --dataset spider --root ~/data/spider --split dev
  gradus evaluate configs/quickstart.yaml`;

/** `gradus evaluate`: runs a model on an evaluation, or judges prediction files against a split. */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(
      program
        .command("evaluate [config]")
        .description("evaluate a model as a config says, or judge prediction files against a split")
        .option("--predictions <files...>", "prediction files, each a system of its own")
        .option("--dataset <loader>", "id of the dataset's loader")
        .option("--split <name>", "split of the dataset")
        .option("--root <dir>", "folder in the official layout (default: <loader> below the data root)")
        .option("--release <name>", "release to insist on")
        .option("--metrics <ids>", "metrics and labels, separated by commas (default: bird-ex)")
        .option("--format <id>", "format of the prediction files (default: recognised)")
        .option("--partial", "allow questions without a prediction")
        .option(
          "--by <kinds>",
          `groups to show: ${GROUP_KINDS.join(", ")}`,
          "dataset,hardness,difficulty,turn",
        )
        .option("--training <run>", "run, shard or folder of shards to search for evaluated questions")
        .option("--no-gold-check", "do not judge the golds against themselves")
        .option("--grade", "also find golds that their data leave open")
        .option("--export-predictions <dir>", "write the answers as official scripts read them")
        .option("--out-format <form>", `${PREDICTION_FORMS.join(" or ")} (default: the dataset's own)`)
        .option("--workers <n>", "worker processes (default: one a core)")
        .option("--name <name>", "name of the run (default: evaluate-<dataset>-<split>, or the config's)"),
    )
      .addHelpText("after", HELP)
      .action(evaluate);
  },
};

async function evaluate(config: string | undefined, options: Options): Promise<void> {
  limitHeapGrowth();
  const form = formOf(options.outFormat);
  if (form !== null && options.exportPredictions === undefined) {
    throw new GradusError("USAGE", "--out-format is there without --export-predictions");
  }
  if (config === undefined) await namedByOptions(() => evaluateGiven(options, form));
  else await evaluateConfig(config, options, form);
}

async function evaluateGiven(options: Options, form: PredictionForm | null): Promise<void> {
  const { predictions: files, dataset, split } = options;
  if (files === undefined || dataset === undefined || split === undefined) {
    throw new GradusError("USAGE", "give a config, or --predictions with --dataset and --split");
  }
  const request = {
    files,
    dataset,
    split,
    root: options.root ?? null,
    release: options.release ?? null,
    metrics: listOption("--metrics", options.metrics ?? "bird-ex"),
    format: options.format ?? null,
    partial: options.partial === true,
    golds: options.grade === true ? "graded" : options.goldCheck ? "checked" : "unchecked",
    training: options.training ?? null,
    name: options.name ?? `evaluate-${dataset}-${split}`,
    command: "evaluate",
  } as const;
  const evaluated = await withRun(options, process.cwd(), (run) => evaluateFiles(request, run));
  const exported = await exportOf(evaluated, options, form ?? ownForm([dataset]));
  const { name } = request;
  const { accuracy, systems, document, file } = evaluated;
  if (options.json === true) {
    printJson({
      name,
      accuracy: accuracy.filter(isShownRow(options.by)),
      systems,
      evaluation: document,
      exported,
    });
  } else {
    const groups = accuracy.filter(isShownRow(options.by));
    const blocks = [renderGroups(groups), ...systems.flatMap(renderSystem)];
    printText([...blocks, renderEvaluation(document, []), ending(file, exported)].join("\n\n"));
  }
}

async function evaluateConfig(
  configFile: string,
  options: Options,
  form: PredictionForm | null,
): Promise<void> {
  const misplaced = OF_FILES.find((name) => options[name] !== undefined);
  if (options.predictions !== undefined || misplaced !== undefined || !options.goldCheck) {
    const name = options.predictions !== undefined ? "predictions" : (misplaced ?? "no-gold-check");
    throw new GradusError("USAGE", `--${name} is for prediction files, and ${configFile} is a config`, {
      hint: "say it in the config's evaluation and judge",
    });
  }
  const read = await readEvaluationConfig(configFile);
  const config = options.name === undefined ? read : { ...read, name: options.name };
  const run = await withRun(options, path.dirname(configFile), (services) => runEvaluation(config, services));
  const loaders = config.evaluation.datasets.map(({ loader }) => loader);
  const exported = await exportOf(run, options, form ?? ownForm(loaders));
  if (options.json === true) {
    const { document, steps } = run;
    printJson({ name: config.name, evaluation: document, steps, exported });
  } else {
    const by = listOption("--by", options.by);
    printText([renderEvaluation(run.document, by), ending(run.file, exported)].join("\n\n"));
  }
}

/** Runs an evaluation with what both kinds need of the command line. */
async function withRun<T>(
  options: Options,
  configFolder: string,
  run: (services: Parameters<typeof runEvaluation>[1]) => Promise<T>,
): Promise<T> {
  const workers =
    options.workers === undefined ? defaultWorkers() : wholeNumber("--workers", options.workers, 1);
  checkKinds(options.by);
  const interrupt = interruptSignal(writeError);
  try {
    return await run({
      roots: pathRoots(options, configFolder),
      workers,
      reporter: reporterFor(options),
      signal: interrupt.signal,
    });
  } finally {
    interrupt.release();
  }
}

async function exportOf(
  { parts }: EvaluatedFiles | EvaluationRun,
  options: Options,
  form: PredictionForm,
): Promise<string[]> {
  const { exportPredictions: folder } = options;
  return folder === undefined ? [] : await exportPredictions(parts, folder, form);
}

function formOf(value: string | undefined): PredictionForm | null {
  if (value === undefined) return null;
  const form = PREDICTION_FORMS.find((known) => known === value);
  if (form !== undefined) return form;
  throw new GradusError("USAGE", `--out-format must be ${PREDICTION_FORMS.join(" or ")}, got "${value}"`);
}

/** BIRD's scripts read their own form, those of Spider and its kin another. */
function ownForm(loaders: readonly string[]): PredictionForm {
  return loaders.every((loader) => loader === "bird") ? "bird-json" : "spider-text";
}

/** Throws `USAGE` for a kind of groups that there is not. */
function checkKinds(by: string): void {
  const unknown = listOption("--by", by).find((kind) => !GROUP_KINDS.includes(kind));
  if (unknown === undefined) return;
  throw new GradusError("USAGE", `--by names "${unknown}", expected some of: ${GROUP_KINDS.join(", ")}`);
}

function isShownRow(by: string): (row: { readonly group: string }) => boolean {
  const kinds = ["all", "interactions", ...listOption("--by", by)];
  return ({ group }) => kinds.includes(group.split(":")[0] ?? group);
}

function renderSystem({ model, tables }: SystemTables): string[] {
  return tables.length === 0 ? [] : [`${model.name}\n${renderOfficialTables(tables)}`];
}

function ending(file: string, exported: readonly string[]): string {
  return [`everything: ${file}`, ...exported.map((one) => `predictions: ${one}`)].join("\n");
}

export default command;
