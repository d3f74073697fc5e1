import path from "node:path";
import { parse as parseYaml } from "yaml";
import { GradusError, messageOf } from "../core/errors.ts";
import type { PlugFinder } from "../core/plug.ts";
import type { ShardSet } from "../core/shard.ts";
import { kindOf, listFolder, readText } from "../io/files.ts";
import { mergeLedgers } from "../io/ledger-merge.ts";
import { type AccuracyRow, accuracyOf } from "./accuracy.ts";
import { type CorrectionPlan, planCorrections } from "./audit/correction-plan.ts";
import { checkConfigPlugs } from "./check-config-plugs.ts";
import { parseRunConfig, type RunConfig } from "./config.ts";
import { forecastPending, type SamplingForecast } from "./forecast.ts";
import type { DescriptionForecast } from "./forecast-descriptions.ts";
import { findDatasets } from "./find-datasets.ts";
import { type FunnelLine, funnelOf } from "./funnel.ts";
import { type PathRoots, resolvePath } from "./paths.ts";
import { createPlugFinder } from "./plugs.ts";
import type { Reporter, StepReport } from "./reporter.ts";
import { localServers } from "./serve/local-servers.ts";
import { runInFolder } from "./run-in-folder.ts";
import type { CarriedRound } from "./self-taught-steps.ts";
import { importedFiles, trainingSetPipeline } from "./training-set.ts";

/** What a person asked of a run besides its config. */
export interface RunOptions {
  readonly roots: PathRoots;
  readonly until: string | null;
  readonly dryRun: boolean;
  readonly workers: number;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
  /** Worker `index` of `count`, from 1: only samples its part of the questions; the whole run when left out. */
  readonly part?: { readonly index: number; readonly count: number } | null;
  /** A self-taught round after the first: its folder, and what the rounds before it kept. */
  readonly round?: { readonly folder: string; readonly carried: CarriedRound } | null;
}

/** A run as it stands at its end. */
export interface RunSummary {
  readonly name: string;
  readonly folder: string;
  readonly steps: readonly StepReport[];
  readonly funnel: readonly FunnelLine[];
  readonly accuracy: readonly AccuracyRow[];
  /** Of the evaluation's own questions; empty where the config asks for none. */
  readonly evaluation: readonly AccuracyRow[];
  /** System of the accuracy table to the file that its answers came from, for imported answers. */
  readonly systems: Readonly<Record<string, string>>;
  /** Of a dry run: what each sampling step that has not run would ask for, as far as its questions are loaded. */
  readonly forecasts: Readonly<Record<string, SamplingForecast>>;
  /** Of a dry run: the same of steps that have databases described. */
  readonly descriptionForecasts: Readonly<Record<string, DescriptionForecast>>;
  /** Of a dry run: what the corrections of its datasets do; `null` without corrections or loaded questions. */
  readonly corrections?: CorrectionPlan | null;
  /** Shard folders, relative to the run's folder. */
  readonly shards: readonly string[];
}

/**
 * Reads a config file in YAML or JSON.
 * @throws FILE_MISSING, CONFIG_MALFORMED with the place for text that is not YAML, CONFIG_INVALID.
 */
export async function readRunConfig(file: string): Promise<RunConfig> {
  const text = await readText(file);
  let value: unknown;
  try {
    value = parseYaml(text);
  } catch (thrown) {
    throw new GradusError("CONFIG_MALFORMED", `cannot read ${file}: ${messageOf(thrown)}`, {
      site: { file },
      hint: "a config is YAML; check the indentation and the quotes at the place named",
      cause: thrown,
    });
  }
  return parseRunConfig(value, file);
}

/** Runs a config to its shards; throws what the runner throws. A dry run makes and locks nothing. */
export async function runTrainingSet(config: RunConfig, options: RunOptions): Promise<RunSummary> {
  const { part = null, dryRun } = options;
  const until = part === null ? options.until : "sample";
  const plugs = createPlugFinder();
  await checkConfigPlugs(config, plugs);
  const { pipeline, datasets, evaluated, guarded } = await preparePipeline(config, options, plugs);
  const wholeFolder = options.round?.folder ?? path.join(options.roots.runsFolder, config.name);
  const runFolder =
    part === null ? wholeFolder : path.join(wholeFolder, `worker-${part.index}-of-${part.count}`);
  const sampling = {
    roles: config.models,
    servers: localServers(config, options.roots),
    ledgerFile: path.join(runFolder, "ledger.sqlite"),
  };
  const { result, store } = await runInFolder(
    { pipeline, runFolder, seed: config.seed, until, dryRun },
    {
      ...options,
      databaseFolders: [datasets, evaluated, guarded].flatMap((found) => found.databaseFolders),
      profileFolder: path.join(options.roots.runsFolder, ".profiles"),
      sampling,
    },
    config,
    () => gatherSamples(wholeFolder, sampling.ledgerFile, part),
  );
  const forecasts = dryRun
    ? await forecastPending({ config, pipeline, result, store, ledgerFile: sampling.ledgerFile })
    : { sampling: {}, descriptions: {} };
  return {
    name: config.name,
    forecasts: forecasts.sampling,
    descriptionForecasts: forecasts.descriptions,
    corrections: await planCorrections(config, [datasets, evaluated], { dryRun, result, store, sampling }),
    folder: runFolder,
    steps: result.steps,
    funnel: await funnelOf(result, store),
    accuracy: await accuracyOf(result, store),
    evaluation: await accuracyOf(result, store, "evaluation-accuracy"),
    systems: systemNames(config),
    shards: pipeline.flatMap((step) =>
      step.publish !== null && result.artifacts.has(step.id) ? [step.publish] : [],
    ),
  };
}

/** The pipeline of a config, with the datasets that it is made of. */
async function preparePipeline(config: RunConfig, options: RunOptions, plugs: PlugFinder) {
  const datasets = await findDatasets(config.datasets, plugs, options.roots);
  const evaluated = await findDatasets(config.evaluation?.datasets ?? [], plugs, options.roots);
  const guarded = await findDatasets(config.guard?.against ?? [], plugs, options.roots);
  const files: string[] = [];
  for (const file of importedFiles(config)) files.push(await resolvePath(file.path, options.roots));
  const exporters = new Map<string, ShardSet>();
  for (const id of config.export.exporters) exporters.set(id, (await plugs.find("exporter", id)).set);
  const pipeline = trainingSetPipeline({
    config,
    ...datasets,
    evaluationRoots: evaluated.roots,
    evaluationCorrections: evaluated.corrections,
    guardRoots: guarded.roots,
    guardCorrections: guarded.corrections,
    files,
    exporters,
    concurrency: Math.max(16, options.workers * 16),
    part: options.part ?? null,
    carried: options.round?.carried ?? null,
    embeddingCache: path.join(options.roots.runsFolder, config.name, "embeddings.sqlite"),
  });
  return { pipeline, datasets, evaluated, guarded };
}

/**
 * Brings what the run and its workers have sampled so far into one ledger, so that nobody pays for it again; the
 * other ledgers stay as they are. A worker leaves out those that share the run with it now: they sample other
 * questions.
 */
async function gatherSamples(
  runFolder: string,
  ledgerFile: string,
  part: { readonly count: number } | null,
): Promise<void> {
  const workers = (await listFolder(runFolder)).filter((name) => /^worker-\d+-of-\d+$/.test(name));
  const others = workers.filter((name) => part === null || !name.endsWith(`-of-${part.count}`));
  const sources: string[] = [];
  for (const folder of [".", ...others]) {
    const file = path.join(runFolder, folder, "ledger.sqlite");
    if (path.resolve(file) !== path.resolve(ledgerFile) && (await kindOf(file)) === "file")
      sources.push(file);
  }
  if (sources.length > 0) await mergeLedgers(ledgerFile, sources);
}

/** The prediction file behind each system of the accuracy table. */
function systemNames(config: RunConfig): Record<string, string> {
  const names: Record<string, string> = {};
  const samples = new Map<string, number>();
  for (const { path: file, model } of importedFiles(config)) {
    const index = samples.get(model.name) ?? 0;
    samples.set(model.name, index + 1);
    names[`${model.name}#${index}`] = path.basename(file);
  }
  return names;
}
