import { expect, it } from "vitest";
import { checkPipeline } from "../../pipelines/check-pipeline.ts";
import { parseRunConfig } from "../../pipelines/config.ts";
import { shardSteps } from "../../pipelines/shard-steps.ts";
import type { ShardSet } from "../../core/shard.ts";

const config = parseRunConfig(
  {
    gradus: 1,
    name: "r",
    datasets: [{ loader: "spider", root: ".", split: "train" }],
    models: { student: { provider: "simulated", name: "s" } },
    answers: { rollouts: [{ model: "student", scaffold: "dualsql-generator", samples: 2 }] },
    export: { linker: true, options: { "messages-sft": { for: "skyrl" } } },
  },
  "c",
);
const port = (name: string) => ({ step: name, port: name });
const stepsOf = (exporters: readonly (readonly [string, ShardSet])[]) =>
  shardSteps({
    config,
    exporters: new Map(exporters),
    licenses: ["CC0-1.0"],
    examples: port("examples"),
    databases: port("databases"),
    trajectories: { step: "sample", port: "trajectories" },
    recipe: {},
  });

it("makes the rows that exporters take, and those of linkers where they are asked for", () => {
  const steps = stepsOf([
    ["messages-sft", "sft"],
    ["preference", "pairs"],
    ["gold-sft", "baseline"],
  ]);
  expect(steps.map(({ id }) => id)).toEqual([
    "funnel",
    "prompts",
    "prompts-baseline",
    "rows-baseline",
    "rows-sft",
    "rows-pairs",
    "rows-linker-sft",
    "export-messages-sft",
    "export-messages-sft-linker",
    "export-preference",
    "export-gold-sft",
  ]);
  expect(steps.find(({ id }) => id === "export-messages-sft-linker")).toMatchObject({
    options: {
      exporter: "messages-sft",
      options: { for: "skyrl" },
      sources: [{ name: "spider", license: "CC0-1.0" }],
    },
    inputs: { rows: { step: "rows-linker-sft", port: "rows" } },
    publish: "shards/messages-sft-linker",
  });
});

it("makes prompts alone without an exporter", () => {
  expect(stepsOf([]).map(({ id }) => id)).toEqual(["prompts"]);
  expect(() => checkPipeline([])).not.toThrow();
});
