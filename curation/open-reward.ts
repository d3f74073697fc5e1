import { z } from "zod";
import { GradusError } from "../core/errors.ts";
import type { Json } from "../core/key.ts";
import type { Label } from "../core/metric.ts";
import type { PlugFinder } from "../core/plug.ts";
import type { OpenReward } from "./score-reward.ts";

/** A reward by id with its options, as configs and stages name it. */
export const RewardUse = z.strictObject({
  id: z.string().describe("id of a reward"),
  options: z
    .record(z.string(), z.json())
    .default({})
    .describe("options of the reward; terms holds the weights by name, 0 takes a term out"),
});
export type RewardUse = z.infer<typeof RewardUse>;

/**
 * Finds a reward with its labels and checks its options.
 * @throws PLUG_UNKNOWN, REWARD_OPTIONS_INVALID naming each wrong option, REWARD_METRIC_UNFIT.
 */
export async function openReward(
  id: string,
  given: Readonly<Record<string, Json>>,
  plugs: PlugFinder,
): Promise<OpenReward> {
  const reward = await plugs.find("reward", id);
  const parsed = reward.options.safeParse(given);
  if (!parsed.success) throw invalid(id, z.prettifyError(parsed.error));
  const labels: Label[] = [];
  for (const label of reward.labels(parsed.data)) {
    const plug = await plugs.find("metric", label);
    if (plug.kind !== "label") throw unfit(id, `${label} is no label`);
    labels.push(plug);
  }
  const metrics = reward.metrics(parsed.data);
  for (const metric of metrics) {
    const plug = await plugs.find("metric", metric);
    if (plug.kind !== "metric") throw unfit(id, `${metric} is no metric`);
    if (plug.needs.timings === true) throw unfit(id, `${metric} only measures: two runs give two scores`);
  }
  return { reward, options: parsed.data, labels, metrics };
}

function invalid(id: string, problem: string): GradusError {
  const text = problem.replace(/\s*\n\s*/g, " ");
  return new GradusError("REWARD_OPTIONS_INVALID", `cannot use the reward ${id} with its options: ${text}`, {
    site: { plug: id },
    hint: `correct the options of ${id}; docs/rewards.md lists them`,
  });
}

function unfit(id: string, problem: string): GradusError {
  return new GradusError("REWARD_METRIC_UNFIT", `cannot use the reward ${id}: ${problem}`, {
    site: { plug: id },
    hint: "docs/plugs.md lists metrics and labels",
  });
}
