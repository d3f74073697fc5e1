import { expect, it } from "vitest";
import { checkPipeline } from "../../pipelines/check-pipeline.ts";
import { parseRunConfig, type RunConfig } from "../../pipelines/config.ts";
import { importedFiles, trainingSetPipeline } from "../../pipelines/training-set.ts";
import { shopConfig } from "../e2e/spider-fixture.ts";

function config(changes: Readonly<Record<string, unknown>> = {}): RunConfig {
  return parseRunConfig(JSON.parse(shopConfig(changes)), "run.yaml");
}

function pipelineOf(run: RunConfig, exporters: readonly (readonly [string, "rl" | "sft"])[]) {
  return trainingSetPipeline({
    config: run,
    roots: run.datasets.map(() => "/data"),
    evaluationRoots: (run.evaluation?.datasets ?? []).map(() => "/data"),
    guardRoots: (run.guard?.against ?? []).map(() => "/data"),
    files: importedFiles(run).map((file) => `/data/${file.path}`),
    licenses: ["CC-BY-SA-4.0", "CC0-1.0", "CC-BY-SA-4.0"],
    concurrency: 4,
    exporters: new Map(exporters),
  });
}

it("one dataset and one exporter make a pipeline that holds together", () => {
  const pipeline = pipelineOf(config(), [["verl-rl", "rl"]]);
  checkPipeline(pipeline);
  const ids = pipeline.map((step) => step.id);
  expect(ids.slice(0, 4)).toEqual(["load", "profile", "import", "score"]);
  expect(ids.slice(-2)).toEqual(["rows-rl", "export-verl-rl"]);
  expect(ids).not.toContain("rows-sft");
  expect(pipeline.filter((step) => step.publish !== null).map((step) => step.publish)).toEqual([
    "shards/verl-rl",
  ]);
});

it("rollouts take the place of imported answers, after the golds are checked", () => {
  const models = { student: { provider: "simulated", name: "simulated" } };
  const rollouts = [{ model: "student", scaffold: "single-turn", samples: 2 }];
  const pipeline = pipelineOf(config({ models, answers: { rollouts } }), [["messages-sft", "sft"]]);
  checkPipeline(pipeline);
  expect(pipeline.slice(0, 5).map(({ id }) => id)).toEqual(["load", "profile", "golds", "sample", "score"]);
  const score = pipeline.find((step) => step.id === "score");
  expect(score?.inputs["trajectories"]).toEqual({ step: "sample", port: "trajectories" });
});

it("an evaluation has steps of its own, from loading to accuracy", () => {
  const models = { student: { provider: "simulated", name: "simulated" } };
  const rollouts = [{ model: "student", scaffold: "single-turn", samples: 1 }];
  const evaluation = { datasets: [{ loader: "spider", root: "./shops", split: "dev" }], rollouts };
  const pipeline = pipelineOf(config({ models, evaluation }), [["verl-rl", "rl"]]);
  checkPipeline(pipeline);
  expect(pipeline.filter(({ id }) => id.startsWith("evaluation-")).map(({ id }) => id)).toEqual([
    "evaluation-load",
    "evaluation-profile",
    "evaluation-golds",
    "evaluation-sample",
    "evaluation-score",
    "evaluation-accuracy",
  ]);
});

it("no path and no concurrency is in the options that enter the keys", () => {
  const text = JSON.stringify(pipelineOf(config(), [["verl-rl", "rl"]]).map((step) => step.options));
  expect(text).not.toContain("/data");
  expect(text).not.toContain("./shops");
  expect(text).not.toContain("concurrency");
});

it("the shards' licence names each licence once", () => {
  const pipeline = pipelineOf(config(), [["verl-rl", "rl"]]);
  expect(pipeline.at(-1)?.options).toMatchObject({ license: "CC-BY-SA-4.0 AND CC0-1.0" });
});

it("each file of a model is an import of its own, in order", () => {
  const answers = {
    import: [
      { model: { name: "one", revision: "a" }, files: ["./1.txt", "./2.txt"] },
      { model: { name: "two" }, files: ["./3.txt"], partial: true },
    ],
  };
  expect(
    importedFiles(config({ answers })).map(({ path, model, partial }) => [path, model.name, partial]),
  ).toEqual([
    ["./1.txt", "one", false],
    ["./2.txt", "one", false],
    ["./3.txt", "two", true],
  ]);
});

it("descriptions are written before anything reads the databases, also of an evaluation", () => {
  const models = { student: { provider: "simulated", name: "simulated" } };
  const rollouts = [{ model: "student", scaffold: "single-turn", samples: 1 }];
  const datasets = [{ loader: "spider", root: "./shops", split: "dev" }];
  const run = config({ models, descriptions: { model: "student" }, evaluation: { datasets, rollouts } });
  const pipeline = pipelineOf(run, [["verl-rl", "rl"]]);
  checkPipeline(pipeline);
  const fed = pipeline.flatMap(({ id, inputs }) => {
    const from = inputs["databases"]?.step;
    return from === undefined ? [] : [`${from} > ${id}`];
  });
  expect(fed).toEqual([
    "profile > describe",
    "describe > import",
    "describe > score",
    "describe > prompts",
    "describe > rows-rl",
    "evaluation-profile > evaluation-describe",
    "evaluation-describe > evaluation-golds",
    "evaluation-describe > evaluation-sample",
    "evaluation-describe > evaluation-score",
  ]);
});
