import path from "node:path";
import { expect, it } from "vitest";
import { accuracyOf } from "../../pipelines/accuracy.ts";
import { checkPipeline } from "../../pipelines/check-pipeline.ts";
import { DatasetConfig, RunConfig } from "../../pipelines/config.ts";
import { evaluationPipeline } from "../../pipelines/evaluate.ts";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";
import { runInFolder } from "../../pipelines/run-in-folder.ts";
import { shopWorkspace } from "../e2e/shop-workspace.ts";

const CONFIG = {
  datasets: [DatasetConfig.parse({ loader: "spider", root: "./shops", split: "train" })],
  prompt: RunConfig.shape.prompt.parse({ valuesPerColumn: 0 }),
  judge: RunConfig.shape.judge.parse({}),
};

function pipelineOf(root: string, files: readonly string[], model: string | null) {
  const named = model === null ? null : { name: model, revision: null };
  const rest = { format: null, partial: false, concurrency: 4 };
  return evaluationPipeline({ config: CONFIG, roots: [root], files, model: named, ...rest });
}

it("makes each file a system of its own, or successive samples of a named model", () => {
  const files = ["/a/one.txt", "/a/two.txt"];
  const apart = pipelineOf("/data", files, null);
  checkPipeline(apart);
  expect(apart.find((step) => step.id === "import")?.options).toMatchObject({
    imports: [{ model: { name: "one.txt" } }, { model: { name: "two.txt" } }],
  });
  expect(pipelineOf("/data", files, "student").find((step) => step.id === "import")?.options).toMatchObject({
    imports: [{ model: { name: "student" } }, { model: { name: "student" } }],
  });
});

it("judges a file of predictions: a third of them are right", async () => {
  const folder = await shopWorkspace();
  const root = path.join(folder, "shops");
  const pipeline = pipelineOf(root, [path.join(root, "answers.txt")], null);
  const request = { pipeline, runFolder: path.join(folder, "runs/e"), seed: 1, until: null, dryRun: false };
  const services = { databaseFolders: [path.join(root, "database")], workers: 1, reporter: SILENT_REPORTER };
  const signal = new AbortController().signal;
  const { result, store } = await runInFolder(request, { ...services, signal }, {});
  const accuracy = await accuracyOf(result, store);
  expect(accuracy.find((row) => row.group === "all")).toMatchObject({ n: 12, mean: 4 / 12, missing: 0 });
});
