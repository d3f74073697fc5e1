import path from "node:path";
import type { ShardSet } from "../core/shard.ts";
import { aggregateStage } from "../curation/aggregate.ts";
import { filterStage } from "../curation/filter.ts";
import { orderStage } from "../curation/order.ts";
import { passRatesStage } from "../curation/pass-rates.ts";
import { scoreStage } from "../curation/score.ts";
import { selectTrajectoriesStage } from "../curation/select-trajectories.ts";
import { splitStage } from "../curation/split.ts";
import { importPredictionsStage } from "../synth/import-predictions.ts";
import type { RunConfig } from "./config.ts";
import { datasetSteps } from "./dataset-steps.ts";
import { describedSteps } from "./described-steps.ts";
import { guardSteps } from "./guard-steps.ts";
import { plainRollout } from "./evaluation-config.ts";
import { type Pipeline, type PipelineStep, type PortLink, step } from "./pipeline.ts";
import { rewardSteps } from "./reward-steps.ts";
import { rolloutSteps } from "./rollout-steps.ts";
import { type CarriedRound, withSelfTaught } from "./self-taught-steps.ts";
import { shardSteps } from "./shard-steps.ts";

/** A run with its paths found. */
export interface TrainingSetRequest {
  readonly config: RunConfig;
  /** Absolute root of each dataset of the config. */
  readonly roots: readonly string[];
  /** Absolute root of each dataset of the evaluation. */
  readonly evaluationRoots: readonly string[];
  /** Absolute root of each guarded dataset. */
  readonly guardRoots?: readonly string[];
  /** Absolute files of corrections of each dataset, for training and for evaluation; none where nothing is run. */
  readonly corrections?: readonly (readonly string[])[];
  readonly evaluationCorrections?: readonly (readonly string[])[];
  readonly guardCorrections?: readonly (readonly string[])[];
  /** Absolute prediction files, in the order of {@link importedFiles}. */
  readonly files: readonly string[];
  /** Licences of the datasets, SPDX. */
  readonly licenses: readonly string[];
  /** Judging calls in flight. */
  readonly concurrency: number;
  readonly exporters: ReadonlyMap<string, ShardSet>;
  /** Worker `index` of `count`: samples a stable part of the examples and ends there; the whole run when left out. */
  readonly part?: { readonly index: number; readonly count: number } | null;
  /** What earlier self-taught rounds kept; none in the first. */
  readonly carried?: CarriedRound | null;
  /** Where paid-for embeddings are kept. */
  readonly embeddingCache?: string | null;
}

/** One prediction file as one sample a question. */
export interface ImportedFile {
  readonly path: string;
  readonly model: { readonly name: string; readonly revision: string | null };
  readonly format: string | null;
  readonly partial: boolean;
}

/** The prediction files of a config, one entry a file. */
export function importedFiles(config: RunConfig): ImportedFile[] {
  return config.answers.import.flatMap((group) => group.files.map((file) => ({ ...group, path: file })));
}

/** The main job: load, profile, answers, score, rates, filter, split, order and select, export. */
export function trainingSetPipeline(request: TrainingSetRequest): Pipeline {
  const { config, part = null } = request;
  const loaded = datasetSteps({
    datasets: config.datasets,
    roots: request.roots,
    corrections: request.corrections ?? [],
    valuesPerColumn: config.prompt.valuesPerColumn,
    prefix: "",
  });
  const { steps, examples, databases } = describedSteps(loaded, { config, prefix: "", part });
  const answers = answerSteps(request, examples, databases);
  const trajectories = { step: (answers.at(-1) as PipelineStep).id, port: "trajectories" };
  const all = [
    ...steps,
    ...answers,
    ...judgingSteps(request, { examples, databases, trajectories }),
    ...shardSteps({ ...request, examples, databases, trajectories, recipe: recipeOf(config) }),
    ...evaluationSteps(request),
  ];
  return withSelfTaught(all, request, examples);
}

function answerSteps(request: TrainingSetRequest, examples: PortLink, databases: PortLink): PipelineStep[] {
  const { config, concurrency, part = null } = request;
  if (config.answers.import.length === 0) {
    const { rollouts } = config.answers;
    return rolloutSteps({ config, rollouts, examples, databases, concurrency, prefix: "", part });
  }
  const options = importedFiles(request.config).map(({ path: file, model, format, partial }) => ({
    name: path.basename(file),
    model,
    format,
    partial,
  }));
  return [
    step({
      id: "import",
      stage: importPredictionsStage,
      options: { imports: options },
      runtime: { files: request.files },
      inputs: { examples, databases },
    }),
  ];
}

type Links = {
  readonly examples: PortLink;
  readonly databases: PortLink;
  readonly trajectories: PortLink;
};

function judgingSteps(request: TrainingSetRequest, links: Links): PipelineStep[] {
  const { judge, filter, validation, curriculum, sft } = request.config;
  const samples = { step: "score", port: "samples" };
  const golds = { step: "score", port: "golds" };
  const [label] = judge.labels;
  const { trivial, intractable, dropEmptyGold, figures } = filter;
  const { examples, databases } = links;
  const kept = { step: "filter", port: "kept" };
  const guarded = guardSteps({
    config: request.config,
    guardRoots: request.guardRoots ?? [],
    guardCorrections: request.guardCorrections ?? [],
    examples,
    databases,
    kept,
  });
  return [
    ...accuracySteps(request, links, ""),
    step({
      id: "rates",
      stage: passRatesStage,
      options: { metric: filter.metric, also: filter.also },
      inputs: {
        examples: links.examples,
        samples,
        groups: { step: links.trajectories.step, port: "groups" },
      },
    }),
    step({
      id: "filter",
      stage: filterStage,
      options: { trivial, intractable, dropEmptyGold, figures, ...(label === undefined ? {} : { label }) },
      inputs: { examples: links.examples, golds, rates: { step: "rates", port: "rates" } },
    }),
    ...guarded.steps,
    step({
      id: "split",
      stage: splitStage,
      options: { validationFraction: validation.fraction, databases: validation.databases },
      inputs: { kept: guarded.kept },
    }),
    step({
      id: "select",
      stage: selectTrajectoriesStage,
      options: { metric: filter.metric, perExample: sft.perExample, prefer: sft.prefer },
      inputs: { examples: { step: "split", port: "examples" }, samples, trajectories: links.trajectories },
    }),
    step({
      id: "order",
      stage: orderStage,
      options: { curriculum: curriculum.id, levels: curriculum.levels, options: curriculum.options },
      inputs: {
        examples: { step: "split", port: "examples" },
        loaded: examples,
        selected: { step: "select", port: "selected" },
      },
    }),
  ];
}

/** Rollouts of the evaluation's own datasets, judged and averaged; none where the config asks for none. */
function evaluationSteps(request: TrainingSetRequest): PipelineStep[] {
  const { config, concurrency } = request;
  if (config.evaluation === null) return [];
  const prefix = "evaluation-";
  const { datasets } = config.evaluation;
  const rollouts = config.evaluation.rollouts.map(plainRollout);
  const { valuesPerColumn } = config.prompt;
  const roots = request.evaluationRoots;
  const loaded = datasetSteps({
    datasets,
    roots,
    corrections: request.evaluationCorrections ?? [],
    valuesPerColumn,
    prefix,
  });
  const { steps, examples, databases } = describedSteps(loaded, { config, prefix, part: null });
  const sampled = rolloutSteps({ config, rollouts, examples, databases, concurrency, prefix, part: null });
  const trajectories = { step: `${prefix}sample`, port: "trajectories" };
  return [...steps, ...sampled, ...accuracySteps(request, { examples, databases, trajectories }, prefix)];
}

/** Judges answers and averages them. */
function accuracySteps(
  { config, concurrency }: TrainingSetRequest,
  links: Links,
  prefix: string,
): PipelineStep[] {
  const { judge } = config;
  const score = `${prefix}score`;
  return [
    step({ id: score, stage: scoreStage, options: judge, runtime: { concurrency }, inputs: links }),
    ...rewardSteps(config, links, { concurrency, prefix }),
    step({
      id: `${prefix}accuracy`,
      stage: aggregateStage,
      options: { metrics: judge.metrics },
      inputs: {
        examples: links.examples,
        golds: { step: score, port: "golds" },
        samples: { step: score, port: "samples" },
      },
    }),
  ];
}

/** The config as it goes into a dataset card: without paths. */
function recipeOf(config: RunConfig): unknown {
  const datasets = config.datasets.map(({ loader, split, release, limit, corrections }) => ({
    loader,
    split,
    release,
    limit,
    ...(corrections.length === 0 ? {} : { corrections: corrections.map((file) => path.basename(file)) }),
  }));
  const imports = config.answers.import.map(({ model, files }) => ({ model, samples: files.length }));
  const models = Object.fromEntries(
    Object.entries(config.models).map(([role, { provider, name, revision }]) => [
      role,
      { provider, name, revision },
    ]),
  );
  const { rollouts, round } = config.answers;
  const guard = config.guard && {
    ...config.guard,
    against: config.guard.against.map(({ loader, split, release }) => ({ loader, split, release })),
  };
  const { id, options } = config.embedder;
  const answers = { import: imports, rollouts, round };
  const { rowsPerFile, staged } = config.export;
  return {
    ...config,
    export: { rowsPerFile, staged },
    datasets,
    models,
    guard,
    evaluation: null,
    answers,
    embedder: { id, options },
    trainer: null,
  };
}
