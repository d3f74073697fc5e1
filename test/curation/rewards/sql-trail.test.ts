import { expect, it } from "vitest";
import type { RewardInput } from "../../../core/reward.ts";
import { plugs } from "../../synth/synth-rows.ts";
import { observed, reply, rewardInput, told, totalOf, trajectory } from "../reward-rows.ts";

const reward = await plugs.find("reward", "sql-trail");
const HARD = { labels: { "spider-hardness": { status: "scored", label: "hard" } as const } };

function turns(count: number) {
  return Array.from({ length: count }, (_, index) => [reply(`turn ${index}`), observed("rows")])
    .flat()
    .slice(0, -1);
}

function score(input: RewardInput, options: unknown = {}) {
  return reward.score(input, reward.options.parse(options));
}

const RIGHT = { "bird-ex": 1, bigram: 0.5, "schema-linking": 0.8, syntax: 1 };

it("adds six terms up by weight", () => {
  const input = rewardInput(trajectory(turns(2)), RIGHT);
  // F1 of 0.8 is a Jaccard index of 0.8/1.2; two replies are within the five that cost nothing.
  const expected = 1 + 0.2 + 0.2 * 0.5 + (0.2 * 2) / 3 + 0.1 + 0.1;
  expect(totalOf(score(input))).toBeCloseTo(expected, 12);
  const result = score(input);
  expect(Object.keys(result.status === "scored" ? result.terms : {})).toEqual(reward.terms);
});

it.each([
  [6, 1],
  [7, 0.75],
  [9, 0.25],
  [10, 0],
  [12, 0],
])("of a hard gold %d replies have a turn term of %d", (count, value) => {
  const result = score(rewardInput(trajectory(turns(count)), RIGHT, HARD));
  expect(result).toMatchObject({ terms: { turns: { value, weight: 0.2 } } });
});

it("pays for few turns only where the answer is right, unless told otherwise", () => {
  const wrong = rewardInput(trajectory(turns(1)), { ...RIGHT, "bird-ex": 0 });
  expect(score(wrong)).toMatchObject({ terms: { turns: { value: 0 } } });
  expect(score(wrong, { turnsNeedRight: false })).toMatchObject({ terms: { turns: { value: 1 } } });
});

it.each([
  ["a reminder", trajectory([reply("no tag"), told("remember"), reply("done")])],
  ["a reply without a thought", trajectory([reply("done", { reasoning: null })])],
  ["no answer", trajectory([reply("done")], { stopReason: "turn_budget", finalSql: null })],
])("has no format after %s", (_name, episode) => {
  expect(score(rewardInput(episode, RIGHT))).toMatchObject({ terms: { format: { value: 0 } } });
});

it("leaves a term out by its weight", () => {
  const input = rewardInput(trajectory(turns(2)), RIGHT);
  const none = { turns: 0, bigram: 0, schema: 0, syntax: 0, format: 0 };
  expect(totalOf(score(input, { terms: none }))).toBe(1);
});
