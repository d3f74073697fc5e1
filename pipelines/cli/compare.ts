import path from "node:path";
import { GradusError } from "../../core/errors.ts";
import { Example } from "../../core/example.ts";
import { ScoredSample } from "../../core/rows.ts";
import { type ComparedSide, compareSides, type ComparisonReport, sideOfRun } from "../compare.ts";
import { type EvaluatedFiles, evaluateFiles } from "../evaluate-files.ts";
import { interruptSignal } from "../interrupt.ts";
import { renderComparison } from "../render-comparison.ts";
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
  readonly before?: string;
  readonly after?: string;
  readonly dataset?: string;
  readonly root?: string;
  readonly split?: string;
  readonly release?: string;
  readonly metrics?: string;
  readonly format?: string;
  readonly partial?: boolean;
  readonly seed: string;
  readonly workers?: string;
  readonly name?: string;
}

const HELP = `
Questions are paired; one that either side has no score of is counted apart. A difference is called real where
McNemar's exact test has p < 0.05. With runs, --metrics picks among those that both were judged by.

Example:
  gradus compare --before base.sql --after tuned.sql --dataset spider --root ~/data/spider --split dev
  gradus compare round-1 round-2 --metrics bird-ex`;

/** `gradus compare`: whether one checkpoint or prediction file is better than another. */
const command: CliCommand = {
  register: (program) => {
    withCommonOptions(
      program
        .command("compare [runs...]")
        .description("hold two runs or two prediction files against each other, question by question")
        .option("--before <file>", "prediction file that is held against --after")
        .option("--after <file>", "prediction file")
        .option("--dataset <loader>", "id of the dataset's loader")
        .option("--split <name>", "split of the dataset")
        .option("--root <dir>", "folder in the official layout (default: <loader> below the data root)")
        .option("--release <name>", "release to insist on")
        .option("--metrics <ids>", "metrics, separated by commas (default: bird-ex, of runs all)")
        .option("--format <id>", "format of the prediction files (default: recognised)")
        .option("--partial", "allow questions without a prediction")
        .option("--seed <n>", "seed of the bootstrap", "1")
        .option("--workers <n>", "worker processes (default: one a core)")
        .option("--name <name>", "name of the run of prediction files (default: compare-<dataset>-<split>)"),
    )
      .addHelpText("after", HELP)
      .action(compare);
  },
};

async function compare(runs: string[], options: Options): Promise<void> {
  const seed = wholeNumber("--seed", options.seed, 0);
  const report = runs.length > 0 ? await ofRuns(runs, options, seed) : await ofFiles(options, seed);
  if (options.json === true) printJson(report);
  else printText(renderComparison(report));
}

async function ofRuns(runs: readonly string[], options: Options, seed: number): Promise<ComparisonReport> {
  const [before, after, ...more] = runs;
  if (before === undefined || after === undefined || more.length > 0 || options.before !== undefined) {
    throw new GradusError("USAGE", `give two runs, or --before and --after; got ${runs.length} runs`);
  }
  const { runsFolder } = pathRoots(options, process.cwd());
  const metrics = options.metrics === undefined ? null : listOption("--metrics", options.metrics);
  const [left, right] = [await sideOfRun(runsFolder, before), await sideOfRun(runsFolder, after)];
  return await compareSides(left, right, { metrics, seed });
}

async function ofFiles(options: Options, seed: number): Promise<ComparisonReport> {
  const { before, after, dataset, split } = options;
  if (before === undefined || after === undefined || dataset === undefined || split === undefined) {
    throw new GradusError("USAGE", "give two runs, or --before and --after with --dataset and --split");
  }
  const workers =
    options.workers === undefined ? defaultWorkers() : wholeNumber("--workers", options.workers, 1);
  const metrics = listOption("--metrics", options.metrics ?? "bird-ex");
  const request = {
    dataset,
    split,
    metrics,
    root: options.root ?? null,
    release: options.release ?? null,
    format: options.format ?? null,
    partial: options.partial === true,
    golds: "unchecked",
    training: null,
    command: "compare",
  } as const;
  const name = options.name ?? `compare-${dataset}-${split}`;
  const interrupt = interruptSignal(writeError);
  const services = {
    roots: pathRoots(options, process.cwd()),
    workers,
    reporter: reporterFor(options),
    signal: interrupt.signal,
  };
  const judge = (file: string, side: string): Promise<EvaluatedFiles> =>
    evaluateFiles({ ...request, files: [file], name: `${name}-${side}` }, services);
  try {
    return await namedByOptions(async () => {
      const [left, right] = [await judge(before, "before"), await judge(after, "after")];
      const metricIds = left.document.metrics.map(({ id }) => id);
      const names = titlesOf(before, after);
      const sides = [sideOf(left, names.before), sideOf(right, names.after)] as const;
      return await compareSides(...sides, { metrics: metricIds, seed });
    });
  } finally {
    interrupt.release();
  }
}

/** The files' names; with their folders where these are the same. */
function titlesOf(before: string, after: string): { readonly before: string; readonly after: string } {
  const names = { before: path.basename(before), after: path.basename(after) };
  return names.before === names.after ? { before, after } : names;
}

/** A judged file as a side. */
function sideOf({ parts }: EvaluatedFiles, name: string): ComparedSide {
  const { result, store, examples } = parts;
  const loaded = result.artifacts.get(examples.step);
  const score = result.artifacts.get("score");
  if (loaded === undefined || score === undefined) {
    throw new GradusError("COMPARE_NOTHING", `${name} was not judged`);
  }
  return {
    name,
    examples: () => store.rows(loaded, examples.port, Example),
    samples: () => store.rows(score, "samples", ScoredSample),
    isOf: () => true,
  };
}

export default command;
