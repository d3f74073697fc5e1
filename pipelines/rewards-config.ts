import { z } from "zod";
import { RewardUse } from "../curation/open-reward.ts";

/** The section `rewards` of a config. */
export const RewardsConfig = z
  .array(RewardUse)
  .default([])
  .describe("rewards to score every rollout by; gradus serve rewards and serve env answer with the first");
export type RewardsConfig = z.infer<typeof RewardsConfig>;
