import { pMapIterable } from "p-map";
import { z } from "zod";
import { Database } from "../core/database.ts";
import { Example } from "../core/example.ts";
import { RecentMap } from "../core/recent-map.ts";
import { type Reward, RewardRow } from "../core/reward.ts";
import { defineStage, type StageContext } from "../core/stage.ts";
import { Trajectory } from "../core/trajectory.ts";
import { RowIndex } from "../io/row-index.ts";
import { mergeByExample } from "./merge-by-example.ts";
import { openReward, RewardUse } from "./open-reward.ts";
import { ScoreOptions, ScoreRuntime } from "./score.ts";
import { type OpenReward, type RewardRequest, scoreReward, type RewardServices } from "./score-reward.ts";

/** Databases whose schema is kept at hand; examples of one database mostly follow one another. */
const DATABASES_AT_HAND = 32;

/** Options of {@link rewardsStage}: rewards, and the limits of judging. */
export const RewardsOptions = ScoreOptions.omit({ metrics: true, labels: true }).extend({
  rewards: z.array(RewardUse).min(1),
});
export type RewardsOptions = z.infer<typeof RewardsOptions>;

/**
 * Scores every trajectory by every reward: one row each, trajectories in their order and rewards in theirs.
 * @throws REWARD_OPTIONS_INVALID, REWARD_METRIC_UNFIT, STAGE_ORDER_BROKEN, INTERRUPTED, and what the judge throws.
 */
export const rewardsStage = defineStage({
  name: "rewards",
  version: 1,
  inputs: { examples: Example, trajectories: Trajectory, databases: Database },
  outputs: { rewards: RewardRow },
  options: RewardsOptions,
  runtime: ScoreRuntime,
  plugs: async ({ rewards }, finder) => {
    const ids = new Map<string, { readonly kind: "metric" | "reward"; readonly id: string }>();
    for (const { id, options } of rewards) {
      const reward: Reward = await finder.find("reward", id);
      const parsed = reward.options.safeParse(options);
      ids.set(`reward ${id}`, { kind: "reward", id });
      if (!parsed.success) continue;
      for (const metric of [...reward.metrics(parsed.data), ...reward.labels(parsed.data)]) {
        ids.set(`metric ${metric}`, { kind: "metric", id: metric });
      }
    }
    return [...ids.values()];
  },
  async *run({ inputs, options, runtime, context }) {
    const rewards: OpenReward[] = [];
    for (const use of options.rewards) rewards.push(await openReward(use.id, use.options, context.plugs));
    const databases = await RowIndex.build(inputs.databases(), { keyOf: ({ databaseId }) => databaseId });
    const atHand = new RecentMap<string, Promise<Database | undefined>>(DATABASES_AT_HAND);
    const lookUp = (id: string): Promise<Database | undefined> => {
      const found = atHand.get(id) ?? databases.get(id);
      atHand.set(id, found);
      return found;
    };
    const services = servicesOf(options, context);
    try {
      const { examples, trajectories } = inputs;
      const merged = mergeByExample(examples, (example) => example.id, { trajectories });
      const scored = pMapIterable(
        merged,
        async ({ leader, position, total, rows }) => {
          context.signal.throwIfAborted();
          const database = await lookUp(leader.databaseId);
          const rewarded = rows.trajectories.map((trajectory) => ({ trajectory }));
          const request = { example: leader, database, trajectories: rewarded };
          return { rows: await scoreAll(request, rewards, services), done: position + 1, total };
        },
        { concurrency: runtime.concurrency, backpressure: runtime.concurrency * 4 },
      );
      for await (const { rows, done, total } of scored) {
        for (const row of rows) yield { port: "rewards", row } as const;
        context.progress(done, total);
      }
    } finally {
      await databases.close();
    }
  },
});

function servicesOf(options: RewardsOptions, { judge }: StageContext): RewardServices {
  const { goldCpuMs, predictionCpuMs, maxRows, maxBytes } = options;
  return {
    judge,
    goldLimits: { cpuMs: goldCpuMs, maxRows, maxBytes },
    predictionLimits: { cpuMs: predictionCpuMs, maxRows, maxBytes },
  };
}

/** Rows by trajectory, then reward. */
async function scoreAll(
  request: RewardRequest,
  rewards: readonly OpenReward[],
  services: RewardServices,
): Promise<RewardRow[]> {
  const byReward: RewardRow[][] = [];
  for (const reward of rewards) byReward.push(await scoreReward(request, reward, services));
  return request.trajectories.flatMap((_, place) => byReward.flatMap((rows) => rows[place] ?? []));
}
