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
  valuesPerColumn,
  prefix,
}: DatasetStepsRequest): DatasetSteps {
  const many = datasets.length > 1;
  const ids = datasets.map((_, index) => (many ? `-${index}` : ""));
  const steps = datasets.flatMap((dataset, index) => {
    const names = { load: `${prefix}load${ids[index]}`, profile: `${prefix}profile${ids[index]}` };
    return loadSteps(dataset, roots[index] ?? "", names, valuesPerColumn);
  });
  const last = many ? `${prefix}combine` : `${prefix}load`;
  const databases = { step: many ? last : `${prefix}profile`, port: "databases" };
  if (many) {
    const inputs: Record<string, PortLink> = {};
    ids.forEach((id, index) => {
      inputs[`examples${index}`] = { step: `${prefix}load${id}`, port: "examples" };
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
