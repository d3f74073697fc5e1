import path from "node:path";
import { assembleRowsStage } from "../curation/assemble-rows.ts";
import { aggregateStage } from "../curation/aggregate.ts";
import { checkGoldsStage } from "../curation/check-golds.ts";
import { exportStage } from "../curation/export.ts";
import { filterStage } from "../curation/filter.ts";
import { orderStage } from "../curation/order.ts";
import { passRatesStage } from "../curation/pass-rates.ts";
import { scoreStage } from "../curation/score.ts";
import { selectTrajectoriesStage } from "../curation/select-trajectories.ts";
import { splitStage } from "../curation/split.ts";
import { combineStage } from "../datasets/combine.ts";
import { loadStage } from "../datasets/load.ts";
import { profileStage } from "../datasets/profile.ts";
import { importPredictionsStage } from "../synth/import-predictions.ts";
import { renderPromptsStage } from "../synth/render-prompts.ts";
import { sampleStage } from "../synth/sample.ts";
import { simulateAnswersStage } from "../synth/simulate-answers.ts";
import type { DatasetConfig, ModelRole, RunConfig } from "./config.ts";
import { type Pipeline, type PipelineStep, type PortLink, step } from "./pipeline.ts";

/** A run with its paths found. */
export interface TrainingSetRequest {
  readonly config: RunConfig;
  /** Absolute root of each dataset of the config. */
  readonly roots: readonly string[];
  /** Absolute prediction files, in the order of {@link importedFiles}. */
  readonly files: readonly string[];
  /** Licences of the datasets, SPDX. */
  readonly licenses: readonly string[];
  /** Judging calls in flight. */
  readonly concurrency: number;
  readonly exporters: ReadonlyMap<string, "rl" | "sft">;
  /** Worker `index` of `count`: samples a stable part of the examples and ends there; the whole run when left out. */
  readonly part?: { readonly index: number; readonly count: number } | null;
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
  const { config } = request;
  const source = datasetSteps(request);
  const examples = { step: source.last, port: "examples" };
  const databases = { step: source.databases, port: "databases" };
  const answers = answerSteps(request, examples, databases);
  const trajectories = { step: (answers.at(-1) as PipelineStep).id, port: "trajectories" };
  return [
    ...source.steps,
    ...answers,
    ...judgingSteps(request, { examples, databases, trajectories }),
    step({
      id: "prompts",
      stage: renderPromptsStage,
      options: { dialect: config.prompt.dialect, history: config.prompt.history },
      inputs: { examples, databases },
    }),
    ...shardSteps(request, { examples, databases, trajectories }),
  ];
}

/** Steps that load and profile every dataset; `last` gives the examples, `databases` the databases. */
export function datasetSteps(request: {
  readonly config: Pick<RunConfig, "datasets" | "prompt">;
  readonly roots: readonly string[];
}): {
  readonly steps: PipelineStep[];
  readonly last: string;
  readonly databases: string;
} {
  const { datasets, prompt } = request.config;
  const many = datasets.length > 1;
  const steps = datasets.flatMap((dataset, index) => {
    const suffix = many ? `-${index}` : "";
    return loadSteps(dataset, request.roots[index] ?? "", suffix, prompt.valuesPerColumn);
  });
  if (!many) return { steps, last: "load", databases: "profile" };
  const inputs: Record<string, PortLink> = {};
  datasets.forEach((_, index) => {
    inputs[`examples${index}`] = { step: `load-${index}`, port: "examples" };
    inputs[`databases${index}`] = { step: `profile-${index}`, port: "databases" };
  });
  steps.push(step({ id: "combine", stage: combineStage(datasets.length), inputs }));
  return { steps, last: "combine", databases: "combine" };
}

function loadSteps(
  dataset: DatasetConfig,
  root: string,
  suffix: string,
  valuesPerColumn: number,
): PipelineStep[] {
  const { loader, split, release, limit, maxRejectRate } = dataset;
  return [
    step({
      id: `load${suffix}`,
      stage: loadStage,
      options: { loader, split, release, limit },
      runtime: { root },
      inputs: {},
      maxRejectRate,
    }),
    step({
      id: `profile${suffix}`,
      stage: profileStage,
      options: { loader, split, release, valuesPerColumn },
      runtime: { root, concurrency: 2 },
      inputs: {
        examples: { step: `load${suffix}`, port: "examples" },
        schemas: { step: `load${suffix}`, port: "schemas" },
      },
    }),
  ];
}

function answerSteps(request: TrainingSetRequest, examples: PortLink, databases: PortLink): PipelineStep[] {
  const { import: imports, simulate } = request.config.answers;
  if (simulate !== null) {
    return [
      step({
        id: "simulate",
        stage: simulateAnswersStage,
        options: simulate,
        inputs: { examples, databases },
      }),
    ];
  }
  if (imports.length === 0) return rolloutSteps(request, examples, databases);
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

/** Golds first, so that nothing is spent on a question that cannot be judged; then the samples. */
function rolloutSteps(request: TrainingSetRequest, examples: PortLink, databases: PortLink): PipelineStep[] {
  const { answers, judge, prompt, filter } = request.config;
  const { maxRows, maxBytes } = judge;
  return [
    step({
      id: "golds",
      stage: checkGoldsStage,
      options: judge,
      runtime: { concurrency: request.concurrency },
      inputs: { examples, databases },
    }),
    step({
      id: "sample",
      stage: sampleStage,
      options: {
        rollouts: answers.rollouts.map((rollout) => rolloutOptions(rollout, request.config)),
        dialect: prompt.dialect,
        round: answers.round,
        judge: {
          metric: filter.metric,
          goldLimits: { cpuMs: judge.goldCpuMs, maxRows, maxBytes },
          predictionLimits: { cpuMs: judge.predictionCpuMs, maxRows, maxBytes },
        },
        part: request.part ?? null,
      },
      runtime: { concurrency: answers.concurrency },
      inputs: { examples, databases, golds: { step: "golds", port: "golds" } },
    }),
  ];
}

function rolloutOptions(rollout: RunConfig["answers"]["rollouts"][number], config: RunConfig): unknown {
  const { model: role, ...rest } = rollout;
  const { provider, name, revision } = config.models[role] as ModelRole;
  return { role, model: { name, revision }, simulated: provider === "simulated", ...rest };
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
  const { trivial, intractable, dropEmptyGold } = filter;
  return [
    step({
      id: "score",
      stage: scoreStage,
      options: judge,
      runtime: { concurrency: request.concurrency },
      inputs: links,
    }),
    step({
      id: "accuracy",
      stage: aggregateStage,
      options: { metrics: judge.metrics },
      inputs: { examples: links.examples, golds, samples },
    }),
    step({
      id: "rates",
      stage: passRatesStage,
      options: { metric: filter.metric },
      inputs: {
        examples: links.examples,
        samples,
        groups: { step: links.trajectories.step, port: "groups" },
      },
    }),
    step({
      id: "filter",
      stage: filterStage,
      options: { trivial, intractable, dropEmptyGold, ...(label === undefined ? {} : { label }) },
      inputs: { examples: links.examples, golds, rates: { step: "rates", port: "rates" } },
    }),
    step({
      id: "split",
      stage: splitStage,
      options: { validationFraction: validation.fraction },
      inputs: { kept: { step: "filter", port: "kept" } },
    }),
    step({
      id: "order",
      stage: orderStage,
      options: { curriculum: curriculum.id, levels: curriculum.levels },
      inputs: { examples: { step: "split", port: "examples" } },
    }),
    step({
      id: "select",
      stage: selectTrajectoriesStage,
      options: { metric: filter.metric, perExample: sft.perExample, prefer: sft.prefer },
      inputs: { examples: { step: "split", port: "examples" }, samples, trajectories: links.trajectories },
    }),
  ];
}

function shardSteps(request: TrainingSetRequest, links: Links): PipelineStep[] {
  const { config } = request;
  const sets = [...new Set(request.exporters.values())].sort();
  const assembled = sets.map((set) =>
    step({
      id: `rows-${set}`,
      stage: assembleRowsStage,
      options: { set },
      inputs: {
        ...links,
        prompts: { step: "prompts", port: "prompts" },
        ordered: { step: "order", port: "examples" },
        selected: { step: "select", port: "selected" },
      },
    }),
  );
  const shards = [...request.exporters].map(([exporter, set]) =>
    step({
      id: `export-${exporter}`,
      stage: exportStage,
      options: {
        exporter,
        rowsPerFile: config.export.rowsPerFile,
        datasetName: config.name,
        license: [...new Set(request.licenses)].sort().join(" AND "),
        recipe: recipeOf(config),
      },
      inputs: { rows: { step: `rows-${set}`, port: "rows" } },
      publish: `shards/${exporter}`,
    }),
  );
  return [...assembled, ...shards];
}

/** The config as it goes into a dataset card: without paths. */
function recipeOf(config: RunConfig): unknown {
  const datasets = config.datasets.map(({ loader, split, release, limit }) => ({
    loader,
    split,
    release,
    limit,
  }));
  const imports = config.answers.import.map(({ model, files }) => ({ model, samples: files.length }));
  const models = Object.fromEntries(
    Object.entries(config.models).map(([role, { provider, name, revision }]) => [
      role,
      { provider, name, revision },
    ]),
  );
  const { simulate, rollouts, round } = config.answers;
  return { ...config, datasets, models, answers: { import: imports, simulate, rollouts, round } };
}
