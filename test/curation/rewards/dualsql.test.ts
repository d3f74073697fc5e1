import { describe, expect, it } from "vitest";
import type { RewardInput } from "../../../core/reward.ts";
import type { LinkedTable } from "../../../core/trajectory.ts";
import { plugs } from "../../synth/synth-rows.ts";
import { call, observed, reply, rewardInput, told, totalOf, trajectory } from "../reward-rows.ts";

const reward = await plugs.find("reward", "dualsql");

function total(input: RewardInput, options: unknown = {}): number {
  return totalOf(reward.score(input, reward.options.parse(options)));
}

const RAN = [
  reply("look", { toolCalls: [call("execute_sql", { sql: "SELECT 1" })] }),
  observed("[]"),
  reply("done"),
];
const PLAIN = [reply("done")];

describe("the generator's reward", () => {
  it.each([
    ["right with a tool", RAN, 1, 1.1],
    ["right without one", PLAIN, 1, 1],
    ["wrong but well-formed", RAN, 0, 0.1],
    ["half right is wrong", RAN, 0.5, 0.1],
  ])("%s", (_name, messages, rex, expected) => {
    expect(total(rewardInput(trajectory(messages), { rex }))).toBeCloseTo(expected, 12);
  });

  it("is 0 for a rollout that a guardrail cut off, whatever was answered", () => {
    expect(total(rewardInput(trajectory(RAN, { stopReason: "guardrail", finalSql: null }), { rex: 0 }))).toBe(
      0,
    );
    expect(total(rewardInput(trajectory([told("no"), ...PLAIN]), { rex: 0 }))).toBe(0);
    expect(total(rewardInput(trajectory([told("no"), ...PLAIN]), { rex: 1 }))).toBe(1);
  });

  it.each(["no_answer", "length", "token_budget", "content_filter"] as const)(
    "has no format at %s",
    (stopReason) => {
      expect(total(rewardInput(trajectory(RAN, { stopReason, finalSql: null }), { rex: 0 }))).toBe(0);
    },
  );

  it("keeps the format's at a used-up turn budget", () => {
    const episode = trajectory(RAN, { stopReason: "turn_budget", finalSql: null });
    expect(total(rewardInput(episode, { rex: 0 }))).toBeCloseTo(0.1, 12);
  });

  it.each([
    [28_672, 1.1],
    [30_720, 1.0],
    [32_768, 0.9],
    [40_000, 0.9],
  ])("of %d tokens is %d", (tokens, expected) => {
    expect(total(rewardInput(trajectory(RAN), { rex: 1 }, { tokens }))).toBeCloseTo(expected, 12);
  });

  it("is never below 0, and the length costs nothing without a format", () => {
    expect(total(rewardInput(trajectory(RAN), { rex: 0 }, { tokens: 40_000 }))).toBe(0);
    const cut = trajectory([told("no"), ...PLAIN]);
    expect(total(rewardInput(cut, { rex: 1 }, { tokens: 40_000 }))).toBe(1);
  });

  it("leaves out terms of weight 0", () => {
    const long = rewardInput(trajectory(RAN), { rex: 1 }, { tokens: 40_000 });
    expect(total(long, { terms: { length: 0 } })).toBeCloseTo(1.1, 12);
    expect(total(long, { terms: { length: 0, tool: 0 } })).toBe(1);
  });

  it("has no number where the metric has none", () => {
    const input = {
      ...rewardInput(trajectory(RAN), {}),
      verdicts: { rex: { status: "unscored", reason: "gold_error", message: "no such table" } as const },
    };
    expect(reward.score(input, reward.options.parse({}))).toMatchObject({
      status: "unscored",
      reason: "gold_error",
    });
  });
});

describe("the linker's reward", () => {
  // Gold has 3 items: the table singer, and its columns name and age.
  const wide = Array.from({ length: 17 }, (_, index) => `c${index}`);
  it.each<[string, LinkedTable[], number]>([
    ["the same items, whatever their case", [{ table: "Singer", columns: ["AGE", "Name"] }], 1],
    ["all items and one more: 0.9", [{ table: "singer", columns: ["name", "age", "id"] }], 0.9],
    [
      "all items at precision 3/20: 0.9 - 0.05",
      [{ table: "singer", columns: ["name", "age", ...wide] }],
      0.85,
    ],
    ["the table and one column: 0.7", [{ table: "singer", columns: ["name"] }], 0.7],
    [
      "the table alone at precision 1/18: 0.7 - (0.2 - 1/18)",
      [{ table: "singer", columns: wide }],
      0.7 - (0.2 - 1 / 18),
    ],
    ["another table: nothing shared", [{ table: "song", columns: [] }], 0.1],
    ["no items: 0, of which the format keeps 0.1", [], 0.1],
  ])("%s", (_name, links, expected) => {
    const episode = trajectory(PLAIN, { finalSql: null, links });
    expect(total(rewardInput(episode, {}))).toBeCloseTo(expected, 12);
  });

  it("is half of F1 where a table is missing", () => {
    const goldLinks = [
      { table: "singer", columns: ["name"] },
      { table: "song", columns: ["title"] },
    ];
    const episode = trajectory(PLAIN, { finalSql: null, links: [{ table: "singer", columns: ["name"] }] });
    // 2 shared of 4 and 2: F1 is 2·2/6.
    expect(total(rewardInput(episode, {}, { goldLinks }))).toBeCloseTo(1 / 3, 12);
  });

  it("knows the gold of count(*): a table and no column", () => {
    const goldLinks = [{ table: "singer", columns: [] }];
    const episode = trajectory(PLAIN, { finalSql: null, links: [{ table: "singer", columns: [] }] });
    expect(total(rewardInput(episode, {}, { goldLinks }))).toBe(1);
  });

  it("is 0 without links, and unscored without the gold's", () => {
    const scaffold = { id: "dualsql-linker", version: 1, options: {} };
    const failed = trajectory(PLAIN, { finalSql: null, scaffold, stopReason: "no_answer" });
    expect(total(rewardInput(failed, {}))).toBe(0);
    const input = rewardInput(failed, {}, { goldLinks: null });
    expect(reward.score(input, reward.options.parse({}))).toMatchObject({ reason: "gold_unlinked" });
  });
});
