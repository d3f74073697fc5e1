import path from "node:path";
import { parse as parseYaml } from "yaml";
import { scoreStage } from "../curation/score.ts";
import { GradusError, messageOf } from "../core/errors.ts";
import type { ArtifactStore } from "../io/artifact-store.ts";
import { kindOf, readText } from "../io/files.ts";
import { checkConfigPlugs } from "./check-config-plugs.ts";
import { parseRunConfig, type RolloutConfig, type RunConfig } from "./config.ts";
import { datasetSteps } from "./dataset-steps.ts";
import { describedSteps } from "./described-steps.ts";
import type { EvaluatedSteps, EvaluationDocument } from "./evaluation-document.ts";
import { type EvaluationPlan, evaluationPlans } from "./evaluation-config.ts";
import { errorSteps, figureSteps, goldSteps } from "./evaluation-steps.ts";
import { findDatasets } from "./find-datasets.ts";
import { finishEvaluation } from "./finish-evaluation.ts";
import type { PathRoots } from "./paths.ts";
import { type Pipeline, type PipelineStep, type PortLink, step } from "./pipeline.ts";
import { createPlugFinder } from "./plugs.ts";
import type { Reporter } from "./reporter.ts";
import { rolloutSteps } from "./rollout-steps.ts";
import { runInFolder } from "./run-in-folder.ts";
import type { RunResult } from "./runner.ts";
import { localServers } from "./serve/local-servers.ts";

/** Put before the ids of the steps, so that a run can both make a training set and be evaluated. */
const PREFIX = "evaluation-";

type Evaluation = NonNullable<RunConfig["evaluation"]>;
type Plan = EvaluationPlan<Evaluation["rollouts"][number]>;

/** A config with an evaluation. `trains` is false where it says nothing else. */
export interface EvaluationConfig extends RunConfig {
  readonly evaluation: Evaluation;
  readonly trains: boolean;
}

/**
 * Reads a config file for evaluation. One that only evaluates may leave out `datasets` and `answers`.
 * @throws FILE_MISSING, CONFIG_MALFORMED, CONFIG_INVALID, also for a config without an evaluation.
 */
export async function readEvaluationConfig(file: string): Promise<EvaluationConfig> {
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
  const { given, trains } = completed(value);
  const config = parseRunConfig(given, file);
  const judge = config.evaluation?.errorJudge ?? null;
  if (judge !== null && !(judge.model in config.models)) {
    throw new GradusError(
      "CONFIG_INVALID",
      `cannot use ${file}: evaluation.errorJudge.model: got the role "${judge.model}", which models does not have`,
      { site: { file }, hint: `roles: ${Object.keys(config.models).join(", ")}` },
    );
  }
  if (config.evaluation === null) {
    throw new GradusError("CONFIG_INVALID", `cannot evaluate ${file}: it has no evaluation`, {
      site: { file },
      hint: "add evaluation with datasets and rollouts: docs/evaluation.md shows one",
    });
  }
  return { ...config, evaluation: config.evaluation, trains };
}

/** A parsed config with the datasets and answers that a training set would have, where it has only an evaluation. */
function completed(value: unknown): { readonly given: unknown; readonly trains: boolean } {
  if (typeof value !== "object" || value === null) return { given: value, trains: true };
  const config = value as Readonly<Record<string, unknown>>;
  const evaluation = config["evaluation"] as Readonly<Record<string, unknown>> | null | undefined;
  const onlyEvaluates = config["datasets"] === undefined && config["answers"] === undefined;
  const rollouts = evaluation?.["rollouts"];
  if (!onlyEvaluates || evaluation === null || evaluation === undefined || !Array.isArray(rollouts)) {
    return { given: value, trains: true };
  }
  const plain = rollouts.map((rollout: unknown) => {
    const {
      name: _name,
      variants: _variants,
      tokenBudgets: _budgets,
      ...rest
    } = rollout as Record<string, unknown>;
    return rest;
  });
  return {
    given: { ...config, datasets: evaluation["datasets"], answers: { rollouts: plain } },
    trains: false,
  };
}

/** What a person asked of an evaluation besides its config. */
export interface EvaluationRunOptions {
  readonly roots: PathRoots;
  readonly workers: number;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

/** An evaluation as it stands at its end. */
export interface EvaluationRun {
  readonly folder: string;
  readonly file: string;
  readonly document: EvaluationDocument;
  readonly steps: RunResult["steps"];
  readonly parts: EvaluatedParts;
}

/** Where the answers of an evaluation's systems are. */
export interface EvaluatedParts {
  readonly result: RunResult;
  readonly store: ArtifactStore;
  readonly examples: PortLink;
  readonly trajectories: readonly { readonly name: string | null; readonly link: PortLink }[];
}

/**
 * Samples and judges an evaluation in its run's folder, with the run's ledger: what was sampled before, for training or
 * for another evaluation, is not asked again. Writes `evaluation.json`.
 * @throws CONFIG_INVALID, and what the runner throws.
 */
export async function runEvaluation(
  config: EvaluationConfig,
  options: EvaluationRunOptions,
): Promise<EvaluationRun> {
  const { evaluation } = config;
  const plugs = createPlugFinder();
  const plans = evaluationPlans(evaluation.rollouts);
  await checkPlans(config, plans);
  const found = await findDatasets(evaluation.datasets, plugs, options.roots);
  const concurrency = Math.max(16, options.workers * 16);
  const chained = await chainedPlans(plans);
  const pipeline = evaluationRunPipeline({ config, plans, ...found, concurrency, chained });
  const { runsFolder } = options.roots;
  const runFolder = path.join(runsFolder, config.name);
  const { trains, ...recipe } = config;
  const sampling = {
    roles: config.models,
    servers: localServers(trains ? config : { ...config, evaluation: null }, options.roots),
    ledgerFile: path.join(runFolder, "ledger.sqlite"),
  };
  const { result, store } = await runInFolder(
    { pipeline, runFolder, seed: config.seed, until: null, dryRun: false },
    {
      ...options,
      databaseFolders: found.databaseFolders,
      profileFolder: path.join(runsFolder, ".profiles"),
      sampling,
    },
    recipe,
  );
  const steps = plans.map((plan) => idsOf(plan, plans));
  const { file, document } = await finishEvaluation({
    pipeline,
    result,
    store,
    steps,
    name: config.name,
    datasets: evaluation.datasets,
    metrics: config.judge.metrics,
    goldCheck: `${PREFIX}gold-check`,
    goldGrades: `${PREFIX}gold-grades`,
    hardness: false,
    training: evaluation.training ?? (await ownTraining(runFolder, config)),
    runFolder,
    runsFolder,
    plugs,
  });
  const examples = pipeline.find(({ id }) => id === steps[0]?.accuracy)?.inputs["examples"] as PortLink;
  const trajectories = plans.map((plan) => ({
    name: plan.name,
    link: { step: idsOf(plan, plans).sample, port: "trajectories" },
  }));
  const parts = { result, store, examples, trajectories };
  return { folder: runFolder, file, document, steps: result.steps, parts };
}

/** The run itself, where it has made a training set. */
async function ownTraining(runFolder: string, { trains, name }: EvaluationConfig): Promise<string | null> {
  const isThere = (await kindOf(path.join(runFolder, "artifacts", "order"))) === "folder";
  return trains && isThere ? name : null;
}

async function checkPlans(config: EvaluationConfig, plans: readonly Plan[]): Promise<void> {
  const rollouts = plans.map(({ name, rollout }) => ({ ...rollout, name, variants: [], tokenBudgets: [] }));
  await checkConfigPlugs({ ...config, evaluation: { ...config.evaluation, rollouts } }, createPlugFinder());
}

/** The plans whose scaffold has a schema linker come first. */
async function chainedPlans(plans: readonly Plan[]): Promise<ReadonlySet<string>> {
  const plugs = createPlugFinder();
  const chained = new Set<string>();
  for (const { slug, rollout } of plans) {
    const scaffold = await plugs.find("scaffold", rollout.scaffold);
    const prelude = scaffold.prelude?.(scaffold.options.parse(rollout.options)) ?? null;
    if (prelude !== null && prelude !== "gold_links") chained.add(slug);
  }
  return chained;
}

/** Ids of a plan's steps; a single plan has those of the evaluation of `gradus run`, so that each finds the other's. */
function idsOf(
  { slug }: Plan,
  plans: readonly Plan[],
): Required<EvaluatedSteps> & { readonly sample: string; readonly score: string } {
  const suffix = plans.length === 1 ? "" : `-${slug}`;
  const id = (name: string): string => `${PREFIX}${name}${suffix}`;
  return {
    sample: id("sample"),
    score: id("score"),
    accuracy: id("accuracy"),
    systems: id("systems"),
    errors: id("errors"),
  };
}

export interface EvaluationPipelineRequest {
  readonly config: EvaluationConfig;
  readonly plans: readonly Plan[];
  /** Absolute root of each dataset of the evaluation. */
  readonly roots: readonly string[];
  /** Absolute files of corrections of each. */
  readonly corrections?: readonly (readonly string[])[];
  readonly concurrency: number;
  /** Slugs of the plans whose samples begin with a schema linker's episode. */
  readonly chained: ReadonlySet<string>;
}

/** Load, profile, check golds; then of each plan sample, score, and make figures. */
export function evaluationRunPipeline(request: EvaluationPipelineRequest): Pipeline {
  const { config, plans, roots, corrections = [], concurrency } = request;
  const { datasets, checkGolds, gradeGolds } = config.evaluation;
  const { valuesPerColumn } = config.prompt;
  const loaded = datasetSteps({ datasets, roots, corrections, valuesPerColumn, prefix: PREFIX });
  const { steps, examples, databases } = describedSteps(loaded, { config, prefix: PREFIX, part: null });
  const planned = plans.flatMap((plan, index) => {
    const made = planSteps(plan, request, { examples, databases });
    return index === 0 ? made : made.slice(1);
  });
  const { judge } = config;
  const golds = goldSteps({ judge, examples, databases, concurrency, prefix: PREFIX, grade: gradeGolds });
  return [...steps, ...planned, ...(checkGolds || gradeGolds ? golds : [])];
}

/** The steps of a plan, that of the golds first. */
function planSteps(
  plan: Plan,
  { config, plans, concurrency, chained }: EvaluationPipelineRequest,
  { examples, databases }: { readonly examples: PortLink; readonly databases: PortLink },
): PipelineStep[] {
  const ids = idsOf(plan, plans);
  const rollouts: RolloutConfig[] = [plan.rollout];
  const [golds, sample] = rolloutSteps({
    config,
    rollouts,
    examples,
    databases,
    concurrency,
    prefix: PREFIX,
    part: null,
  }) as [PipelineStep, PipelineStep];
  const trajectories = { step: ids.sample, port: "trajectories" };
  const { attempts } = config.evaluation;
  const { samples } = plan.rollout;
  return [
    golds,
    { ...sample, id: ids.sample },
    step({
      id: ids.score,
      stage: scoreStage,
      options: config.judge,
      runtime: { concurrency },
      inputs: { examples, databases, trajectories },
    }),
    ...figureSteps({
      judge: config.judge,
      examples,
      databases,
      trajectories,
      linkings: chained.has(plan.slug) ? { step: ids.sample, port: "linkings" } : null,
      score: ids.score,
      accuracy: ids.accuracy,
      systems: ids.systems,
      name: plan.name,
      attempts: attempts ?? attemptsUpTo(samples),
    }),
    ...errorSteps({ config, id: ids.errors, score: ids.score, examples, trajectories }),
  ];
}

/** The powers of two up to a number, and the number itself. */
function attemptsUpTo(samples: number): number[] {
  const attempts: number[] = [];
  for (let power = 1; power < samples; power *= 2) attempts.push(power);
  return [...attempts, samples];
}
