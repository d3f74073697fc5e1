import { expect, it } from "vitest";
import { RewardsConfig } from "../../pipelines/rewards-config.ts";

it("is a list of rewards with their options, empty where it is left out", () => {
  expect(RewardsConfig.parse(undefined)).toEqual([]);
  expect(RewardsConfig.parse([{ id: "outcome" }])).toEqual([{ id: "outcome", options: {} }]);
  expect(RewardsConfig.safeParse([{ id: "outcome", option: {} }]).success).toBe(false);
});
