import { expect, it } from "vitest";
import { plugs } from "../../synth/synth-rows.ts";
import { reply, rewardInput, totalOf, trajectory } from "../reward-rows.ts";

const reward = await plugs.find("reward", "outcome");

it("is the score of one metric", () => {
  const input = rewardInput(trajectory([reply("done")]), { "bird-ex": 0, "bird-soft-f1": 0.25 });
  expect(totalOf(reward.score(input, reward.options.parse({})))).toBe(0);
  const soft = reward.options.parse({ metric: "bird-soft-f1", terms: { answer: 2 } });
  expect(totalOf(reward.score(input, soft))).toBe(0.5);
  expect(reward.metrics(soft)).toEqual(["bird-soft-f1"]);
});
