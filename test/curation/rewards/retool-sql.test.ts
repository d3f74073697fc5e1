import { expect, it } from "vitest";
import { plugs } from "../../synth/synth-rows.ts";
import { reply, rewardInput, totalOf, trajectory } from "../reward-rows.ts";

const reward = await plugs.find("reward", "retool-sql");
const NAMED = trajectory([
  reply('<schema>{"SINGER": ["name"]}</schema><final_answer>SELECT 1</final_answer>'),
]);

function total(tokens: number, options: unknown = {}, episode = NAMED): number {
  return totalOf(
    reward.score(rewardInput(episode, { "bird-ex": 1 }, { tokens }), reward.options.parse(options)),
  );
}

it("adds F1 of annotated tables and columns to the execution", () => {
  // The table agrees; one of two columns is named: F1 is 2/3.
  expect(total(100)).toBeCloseTo(1 + 0.1 + 0.1 * (2 / 3), 12);
  expect(total(100, {}, trajectory([reply("no block")]))).toBe(1);
});

it.each([
  [6_000, 0],
  [7_000, -0.25],
  [8_000, -0.5],
  [20_000, -0.5],
])("of %d tokens the length is worth %d", (tokens, length) => {
  expect(total(tokens, { terms: { tables: 0, columns: 0 } })).toBeCloseTo(1 + length, 12);
});

it("leaves the length out", () => {
  expect(total(20_000, { terms: { length: 0, tables: 0, columns: 0 } })).toBe(1);
});
