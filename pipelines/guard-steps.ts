import { deduplicateStage } from "../curation/deduplicate.ts";
import { guardStage } from "../curation/guard.ts";
import type { RunConfig } from "./config.ts";
import { datasetSteps } from "./dataset-steps.ts";
import { type PipelineStep, type PortLink, step } from "./pipeline.ts";

/** What the steps between filter and split are made from. */
export interface GuardStepsRequest {
  readonly config: Pick<RunConfig, "deduplicate" | "guard">;
  /** Absolute root of each dataset that is guarded. */
  readonly guardRoots: readonly string[];
  /** Absolute files of corrections of each of them. */
  readonly guardCorrections?: readonly (readonly string[])[];
  readonly examples: PortLink;
  readonly databases: PortLink;
  /** What the filter keeps. */
  readonly kept: PortLink;
  /** Put behind the ids of the steps; with one, the guarded datasets are those that other steps load. */
  readonly suffix?: string;
}

/** Steps that drop duplicates and what gives guarded splits away, where the config asks for it, and what they keep. */
export function guardSteps(request: GuardStepsRequest): {
  readonly steps: readonly PipelineStep[];
  readonly kept: PortLink;
} {
  const { config, guardRoots, guardCorrections = [], examples, databases, suffix = "" } = request;
  const steps: PipelineStep[] = [];
  let { kept } = request;
  if (config.deduplicate !== null) {
    const inputs = { kept, examples };
    steps.push(
      step({ id: `deduplicate${suffix}`, stage: deduplicateStage, options: config.deduplicate, inputs }),
    );
    kept = { step: `deduplicate${suffix}`, port: "kept" };
  }
  if (config.guard !== null) {
    const { against, ...options } = config.guard;
    const guarded = datasetSteps({
      datasets: against,
      roots: guardRoots,
      corrections: guardCorrections,
      valuesPerColumn: 0,
      prefix: "guard-",
    });
    const inputs = {
      kept,
      examples,
      databases,
      guarded: guarded.examples,
      guardedDatabases: guarded.databases,
    };
    if (suffix === "") steps.push(...guarded.steps);
    steps.push(step({ id: `guard${suffix}`, stage: guardStage, options, inputs }));
    kept = { step: `guard${suffix}`, port: "kept" };
  }
  return { steps, kept };
}
