import { describe, expect, it } from "vitest";
import {
  GoldRow,
  KeptExample,
  OrderedExample,
  PassRate,
  PromptRow,
  SampleGroup,
  ShardFile,
} from "../../core/rows.ts";
import { ScoredSample, SplitExample } from "../../core/rows.ts";
import { goldRow, kept, prompt, rate, sample, split } from "../curation/sample-rows.ts";

describe("the rows between stages", () => {
  it.each([
    ["gold rows", GoldRow, goldRow("a")],
    [
      "gold rows of an unreadable database",
      GoldRow,
      goldRow("a", { executions: null, reason: "database_missing" }),
    ],
    ["scored samples", ScoredSample, sample("a", 0, 1)],
    ["scored samples without a statement", ScoredSample, sample("a", 0, 0, { execution: null })],
    ["pass rates", PassRate, rate("a", 8, 3)],
    ["kept examples", KeptExample, kept("a", 0, { hardness: null })],
    ["prompts", PromptRow, prompt("a")],
  ])("read %s as they were written", (_, schema, row) => {
    expect(schema.parse(JSON.parse(JSON.stringify(row)))).toEqual(row);
  });

  it.each([
    ["a prompt without messages", PromptRow, { ...prompt("a"), messages: [] }],
    ["a rate with a negative count", PassRate, rate("a", 8, -1)],
    ["a stop rule without a meaning", PassRate, { ...rate("a", 8, 3), stopRule: "early" }],
    ["a split that no trainer takes", SplitExample, { ...split("a", 0), split: "test" }],
    ["an example without a level", OrderedExample, split("a", 0)],
    [
      "a shard file with half a digest",
      ShardFile,
      { exporter: "verl-rl", split: "train", path: "a", rows: 1, bytes: 1, sha256: "ab" },
    ],
  ])("refuse %s", (_, schema, row) => {
    expect(schema.safeParse(row).success).toBe(false);
  });

  it("say whether sampling was stopped, and what that settled", () => {
    const group = { exampleId: "a", model: { name: "m", revision: "1" }, setting: "s", round: 0, planned: 8 };
    const stopped = { ...group, sampled: 3, stopRule: "mixed" };
    expect(SampleGroup.parse(stopped)).toEqual(stopped);
    expect(SampleGroup.safeParse({ ...stopped, stopRule: "stopped" }).success).toBe(false);
    expect(SampleGroup.safeParse({ ...stopped, sampled: undefined }).success).toBe(false);
  });

  it("carry an ordered example as a split example with its place", () => {
    const row = { ...split("a", 0), level: 2, rank: 17 };
    expect(OrderedExample.parse(row)).toEqual(row);
  });
});
