import { expect, it } from "vitest";
import { DatasetConfig } from "../../pipelines/config.ts";
import { datasetSteps } from "../../pipelines/dataset-steps.ts";

const dataset = DatasetConfig.parse({ loader: "spider", root: "./shops", split: "train" });

it("one dataset is loaded and profiled under the prefix", () => {
  const found = datasetSteps({ datasets: [dataset], roots: ["/a"], valuesPerColumn: 2, prefix: "x-" });
  expect(found.steps.map(({ id }) => id)).toEqual(["x-load", "x-profile"]);
  expect(found.examples).toEqual({ step: "x-load", port: "examples" });
  expect(found.databases).toEqual({ step: "x-profile", port: "databases" });
});

it("several datasets are loaded and profiled apart and combined", () => {
  const datasets = [dataset, { ...dataset, split: "dev" }];
  const found = datasetSteps({ datasets, roots: ["/a", "/b"], valuesPerColumn: 2, prefix: "" });
  expect(found.steps.map(({ id }) => id)).toEqual(["load-0", "profile-0", "load-1", "profile-1", "combine"]);
  expect([found.examples.step, found.databases.step]).toEqual(["combine", "combine"]);
  expect(Object.keys(found.steps[4]?.inputs ?? {}).sort()).toEqual([
    "databases0",
    "databases1",
    "examples0",
    "examples1",
  ]);
});

it("a dataset with corrections has a step that applies them after it is loaded", () => {
  const corrected = { ...dataset, corrections: ["fixes/a.jsonl"] };
  const one = { datasets: [corrected], roots: ["/a"], valuesPerColumn: 2, prefix: "" };
  const found = datasetSteps({ ...one, corrections: [["/fixes/a.jsonl"]] });
  expect(found.steps.map(({ id }) => id)).toEqual(["load", "profile", "correct"]);
  expect(found.examples).toEqual({ step: "correct", port: "examples" });
  expect(found.steps[2]).toMatchObject({
    options: { files: ["a.jsonl"], isWhole: true },
    runtime: { files: ["/fixes/a.jsonl"] },
    inputs: { examples: { step: "load", port: "examples" } },
  });
  const many = datasetSteps({ ...one, datasets: [dataset, corrected], roots: ["/a", "/b"] });
  expect(many.steps.at(-1)?.inputs).toMatchObject({
    examples0: { step: "load-0" },
    examples1: { step: "correct-1" },
  });
});
