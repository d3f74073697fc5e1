import path from "node:path";
import { applyCorrectionsStage } from "../datasets/apply-corrections.ts";
import { combineStage } from "../datasets/combine.ts";
import { loadStage } from "../datasets/load.ts";
import { profileStage } from "../datasets/profile.ts";
import type { DatasetConfig } from "./config.ts";
import { type PipelineStep, type PortLink, step } from "./pipeline.ts";

/** Datasets with their folders found. */
export interface DatasetStepsRequest {
  readonly datasets: readonly DatasetConfig[];
  /** Absolute root of each dataset. */
  readonly roots: readonly string[];
  /** Absolute files of corrections of each dataset; none needed where nothing is run. */
  readonly corrections?: readonly (readonly string[])[];
  readonly valuesPerColumn: number;
  /** Put before the ids of the steps. */
  readonly prefix: string;
}

/** Steps, and where examples and databases come out. */
export interface DatasetSteps {
  readonly steps: readonly PipelineStep[];
  readonly examples: PortLink;
  readonly databases: PortLink;
}

/** Steps that load and profile every dataset, and combine them where there are several. */
export function datasetSteps({
  datasets,
  roots,
  corrections = [],
  valuesPerColumn,
  prefix,
}: DatasetStepsRequest): DatasetSteps {
  const many = datasets.length > 1;
  const ids = datasets.map((_, index) => (many ? `-${index}` : ""));
  const steps = datasets.flatMap((dataset, index) => {
    const names = { load: `${prefix}load${ids[index]}`, profile: `${prefix}profile${ids[index]}` };
    const loaded = loadSteps(dataset, roots[index] ?? "", names, valuesPerColumn);
    if (dataset.corrections.length === 0) return loaded;
    return [
      ...loaded,
      correctionStep(dataset, corrections[index] ?? [], `${prefix}correct${ids[index]}`, names.load),
    ];
  });
  const examplesOf = (index: number): string =>
    `${prefix}${datasets[index]?.corrections.length === 0 ? "load" : "correct"}${ids[index]}`;
  const last = many ? `${prefix}combine` : examplesOf(0);
  const databases = { step: many ? last : `${prefix}profile`, port: "databases" };
  if (many) {
    const inputs: Record<string, PortLink> = {};
    ids.forEach((id, index) => {
      inputs[`examples${index}`] = { step: examplesOf(index), port: "examples" };
      inputs[`databases${index}`] = { step: `${prefix}profile${id}`, port: "databases" };
    });
    steps.push(step({ id: last, stage: combineStage(datasets.length), inputs }));
  }
  return { steps, examples: { step: last, port: "examples" }, databases };
}

function loadSteps(
  dataset: DatasetConfig,
  root: string,
  names: { readonly load: string; readonly profile: string },
  valuesPerColumn: number,
): PipelineStep[] {
  const { loader, split, release, limit, maxRejectRate } = dataset;
  return [
    step({
      id: names.load,
      stage: loadStage,
      options: { loader, split, release, limit },
      runtime: { root },
      inputs: {},
      maxRejectRate,
    }),
    step({
      id: names.profile,
      stage: profileStage,
      options: { loader, split, release, valuesPerColumn },
      runtime: { root, concurrency: 2 },
      inputs: {
        examples: { step: names.load, port: "examples" },
        schemas: { step: names.load, port: "schemas" },
      },
    }),
  ];
}

function correctionStep(
  dataset: DatasetConfig,
  files: readonly string[],
  id: string,
  load: string,
): PipelineStep {
  return step({
    id,
    stage: applyCorrectionsStage,
    options: {
      files: dataset.corrections.map((file) => path.basename(file)),
      isWhole: dataset.limit === null,
    },
    runtime: { files: [...files] },
    inputs: { examples: { step: load, port: "examples" } },
  });
}
