import path from "node:path";
import { Database } from "../../core/database.ts";
import { GradusError } from "../../core/errors.ts";
import { Example } from "../../core/example.ts";
import type { OpenReward, RewardServices } from "../../curation/score-reward.ts";
import { openReward } from "../../curation/open-reward.ts";
import { ArtifactStore } from "../../io/artifact-store.ts";
import { kindOf } from "../../io/files.ts";
import { mergeLedgers } from "../../io/ledger-merge.ts";
import { lockRun } from "../../io/run-lock.ts";
import { Openings } from "../../synth/openings.ts";
import { RolloutOptions } from "../../synth/sample-options.ts";
import { checkConfigPlugs } from "../check-config-plugs.ts";
import type { RunConfig } from "../config.ts";
import { datasetSteps } from "../dataset-steps.ts";
import { describedSteps } from "../described-steps.ts";
import { type FoundDatasets, findDatasets } from "../find-datasets.ts";
import type { PathRoots } from "../paths.ts";
import type { PortLink } from "../pipeline.ts";
import { createPlugFinder } from "../plugs.ts";
import type { Reporter } from "../reporter.ts";
import { rolloutOptions } from "../rollout-steps.ts";
import { type OpenServices, openServices } from "../run-services.ts";
import { runPipeline } from "../runner.ts";
import { localServers } from "./local-servers.ts";
import { ServedExamples } from "./served-examples.ts";

/** What a service is made from. */
export interface ServedRunRequest {
  readonly config: RunConfig;
  readonly roots: PathRoots;
  /** Whether the questions, rollouts and so on of the config's evaluation are served in the training set's place. */
  readonly isEvaluation: boolean;
  /** Which service: each has a folder of its own, so that several can be started at once. */
  readonly service: string;
  readonly workers: number;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

/** A config's questions and databases, ready to be asked of, with the workers that run SQL. */
export interface ServedRun {
  readonly config: RunConfig;
  readonly examples: ServedExamples;
  /** Has every database. */
  readonly openings: Openings;
  readonly databases: ReadonlyMap<string, Database>;
  readonly services: OpenServices;
  readonly rollouts: readonly RolloutOptions[];
  readonly rewards: readonly OpenReward[];
  /** What rewards are scored with. */
  readonly judging: RewardServices;
  readonly signal: AbortSignal;
  close(): Promise<void>;
}

/**
 * Loads and profiles the datasets of a config as a run does, below `runs/<name>/serve-<service>/`, where they are found
 * again the next time, and starts the workers. Where the config names no reward it is `outcome` by the filter's metric.
 * @throws SERVE_NO_EVALUATION, RUN_LOCKED, and what loading a run's datasets throws.
 */
export async function openServedRun(request: ServedRunRequest): Promise<ServedRun> {
  const { config, roots, isEvaluation, reporter, signal } = request;
  const plugs = createPlugFinder();
  await checkConfigPlugs(config, plugs);
  if (isEvaluation && config.evaluation === null) throw noEvaluation();
  const datasets = isEvaluation ? (config.evaluation?.datasets ?? []) : config.datasets;
  const found = await findDatasets(datasets, plugs, roots);
  const runFolder = path.join(
    roots.runsFolder,
    config.name,
    `serve-${request.service}${isEvaluation ? "-evaluation" : ""}`,
  );
  const ledgerFile = path.join(runFolder, "ledger.sqlite");
  const services = openServices({
    databaseFolders: found.databaseFolders,
    workers: request.workers,
    reporter,
    signal,
    profileFolder: path.join(roots.runsFolder, ".profiles"),
    sampling: { roles: config.models, servers: localServers(config, roots), ledgerFile },
  });
  try {
    const rows = await loadRows(request, { ...found, runFolder, services });
    const examples = await ServedExamples.read(rows.examples());
    const { openings, databases } = await openingsOf(config, services, rows.databases());
    const rewards = config.rewards.length > 0 ? config.rewards : [outcomeOf(config)];
    const given = isEvaluation ? (config.evaluation?.rollouts ?? []) : config.answers.rollouts;
    return {
      config,
      examples,
      openings,
      databases,
      services,
      rollouts: given.map((rollout) => RolloutOptions.parse(rolloutOptions(rollout, config.models))),
      rewards: await Promise.all(rewards.map(({ id, options }) => openReward(id, options, plugs))),
      judging: judgingOf(config, services),
      signal,
      close: async () => {
        await services.close();
        await examples.close();
      },
    };
  } catch (thrown) {
    await services.close();
    throw thrown;
  }
}

/** The judge with the limits of a config. */
export function judgingOf({ judge }: RunConfig, services: Pick<OpenServices, "judge">): RewardServices {
  const { predictionCpuMs, goldCpuMs, maxRows, maxBytes } = judge;
  return {
    judge: services.judge,
    goldLimits: { cpuMs: goldCpuMs, maxRows, maxBytes },
    predictionLimits: { cpuMs: predictionCpuMs, maxRows, maxBytes },
  };
}

function outcomeOf({ filter }: RunConfig) {
  return { id: "outcome", options: { metric: filter.metric } };
}

/** Runs the steps that load and profile, and describe where the config asks for it. */
async function loadRows(
  { config, roots, isEvaluation, service }: ServedRunRequest,
  found: FoundDatasets & { readonly runFolder: string; readonly services: OpenServices },
) {
  const datasets = isEvaluation ? (config.evaluation?.datasets ?? []) : config.datasets;
  const prefix = isEvaluation ? "evaluation-" : "";
  const { valuesPerColumn } = config.prompt;
  const { roots: folders, corrections } = found;
  const loaded = datasetSteps({ datasets, roots: folders, corrections, valuesPerColumn, prefix });
  const { steps, examples, databases } = describedSteps(loaded, { config, prefix, part: null });
  const holder = `process ${process.pid} (gradus serve ${service}, run ${config.name})`;
  const lock = await lockRun(found.runFolder, holder);
  try {
    // Descriptions that the run has paid for are not asked for again.
    const paid = path.join(roots.runsFolder, config.name, "ledger.sqlite");
    if (config.descriptions !== null && (await kindOf(paid)) === "file") {
      await mergeLedgers(path.join(found.runFolder, "ledger.sqlite"), [paid]);
    }
    const request = {
      pipeline: steps,
      runFolder: found.runFolder,
      seed: config.seed,
      until: null,
      dryRun: false,
    };
    const result = await runPipeline(request, found.services);
    const store = new ArtifactStore(path.join(found.runFolder, "artifacts"));
    const artifactOf = (link: PortLink) => {
      const artifact = result.artifacts.get(link.step);
      if (artifact === undefined) throw new Error(`step ${link.step} made nothing`);
      return artifact;
    };
    return {
      examples: () => store.rows(artifactOf(examples), examples.port, Example),
      databases: () => store.rows(artifactOf(databases), databases.port, Database),
    };
  } finally {
    lock.release();
  }
}

async function openingsOf(config: RunConfig, services: OpenServices, rows: AsyncIterable<Database>) {
  const { prompt, profile: profileOptions } = config;
  const dialect = await services.plugs.find("schema-dialect", prompt.dialect);
  const { retrievesValues } = prompt;
  const openings = new Openings({ dialect, retrievesValues, profileOptions }, services.profiler);
  const databases = new Map<string, Database>();
  for await (const database of rows) {
    openings.addDatabase(database);
    databases.set(database.databaseId, database);
  }
  return { openings, databases };
}

function noEvaluation(): GradusError {
  return new GradusError("SERVE_NO_EVALUATION", "cannot serve the evaluation: the config has none", {
    hint: "add evaluation to the config, or leave --evaluation out",
  });
}
