import type { Stage } from "../core/stage.ts";

/** Feeds an input port from an earlier step's output port. */
export interface PortLink {
  readonly step: string;
  readonly port: string;
}

/** One step of a pipeline: a stage with its options, and where its rows come from. */
export interface PipelineStep {
  /** Unique in the pipeline; names the artifact's folder. */
  readonly id: string;
  readonly stage: Stage;
  /** Enter the key. */
  readonly options: unknown;
  /** Paths and concurrency: do not. */
  readonly runtime: unknown;
  readonly inputs: Readonly<Record<string, PortLink>>;
  /** Where the files of this step are shown to the person, below the run's folder; `null` for nowhere. */
  readonly publish: string | null;
  /** Share of rows on the `rejects` port above which the step fails, 0 to 1. */
  readonly maxRejectRate: number;
}

/** A plain list of steps, each after the steps that feed it. */
export type Pipeline = readonly PipelineStep[];

/** Fills in what most steps leave out. */
export function step(
  parts: Pick<PipelineStep, "id" | "inputs"> &
    Partial<Pick<PipelineStep, "options" | "runtime" | "publish" | "maxRejectRate">> & {
      readonly stage: unknown;
    },
): PipelineStep {
  return { options: {}, runtime: {}, publish: null, maxRejectRate: 0, ...parts, stage: parts.stage as Stage };
}
