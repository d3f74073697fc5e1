import { rewardsStage } from "../curation/rewards-stage.ts";
import type { RunConfig } from "./config.ts";
import { type PipelineStep, type PortLink, step } from "./pipeline.ts";

/**
 * Steps that score rollouts by the rewards of a config, those of linkers that came before them too; none where it
 * asks for none.
 */
export function rewardSteps(
  { rewards, judge, answers }: Pick<RunConfig, "rewards" | "judge" | "answers">,
  links: { readonly examples: PortLink; readonly databases: PortLink; readonly trajectories: PortLink },
  { concurrency, prefix }: { readonly concurrency: number; readonly prefix: string },
): PipelineStep[] {
  if (rewards.length === 0) return [];
  const { predictionCpuMs, goldCpuMs, maxRows, maxBytes } = judge;
  const options = { rewards, predictionCpuMs, goldCpuMs, maxRows, maxBytes };
  const scored = (id: string, trajectories: PortLink): PipelineStep =>
    step({
      id: `${prefix}${id}`,
      stage: rewardsStage,
      options,
      runtime: { concurrency },
      inputs: { ...links, trajectories },
    });
  const answered = scored("rewards", links.trajectories);
  if (prefix === "" && answers.import.length > 0) return [answered];
  return [answered, scored("linking-rewards", { ...links.trajectories, port: "linkings" })];
}
