import { checkGoldsStage } from "../curation/check-golds.ts";
import { sampleStage } from "../synth/sample.ts";
import type { ModelRole, RolloutConfig, RunConfig } from "./config.ts";
import { type PipelineStep, type PortLink, step } from "./pipeline.ts";

/** Rollouts to take of some examples. */
export interface RolloutStepsRequest {
  readonly config: Pick<RunConfig, "answers" | "judge" | "prompt" | "profile" | "filter" | "models">;
  readonly rollouts: readonly RolloutConfig[];
  readonly examples: PortLink;
  readonly databases: PortLink;
  /** Judging calls in flight. */
  readonly concurrency: number;
  /** Put before the ids of the steps. */
  readonly prefix: string;
  readonly part: { readonly index: number; readonly count: number } | null;
}

/** Golds first, so that nothing is spent on a question that cannot be judged; then the samples. */
export function rolloutSteps(request: RolloutStepsRequest): PipelineStep[] {
  const { config, examples, databases, prefix } = request;
  const { answers, judge, prompt, filter } = config;
  const { maxRows, maxBytes } = judge;
  return [
    step({
      id: `${prefix}golds`,
      stage: checkGoldsStage,
      options: judge,
      runtime: { concurrency: request.concurrency },
      inputs: { examples, databases },
    }),
    step({
      id: `${prefix}sample`,
      stage: sampleStage,
      options: {
        rollouts: request.rollouts.map((rollout) => rolloutOptions(rollout, config.models)),
        dialect: prompt.dialect,
        retrievesValues: prompt.retrievesValues,
        profile: config.profile,
        round: answers.round,
        judge: {
          metric: filter.metric,
          goldLimits: { cpuMs: judge.goldCpuMs, maxRows, maxBytes },
          predictionLimits: { cpuMs: judge.predictionCpuMs, maxRows, maxBytes },
        },
        part: request.part,
      },
      runtime: { concurrency: answers.concurrency },
      inputs: { examples, databases, golds: { step: `${prefix}golds`, port: "golds" } },
    }),
  ];
}

/** What the sample stage is told of a rollout. */
export function rolloutOptions(rollout: RolloutConfig, models: RunConfig["models"]): unknown {
  const { model: role, ...rest } = rollout;
  const { provider, name, revision } = models[role] as ModelRole;
  return { role, model: { name, revision }, simulated: provider === "simulated", ...rest };
}
