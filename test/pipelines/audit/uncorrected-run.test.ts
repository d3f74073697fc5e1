import path from "node:path";
import { expect, it } from "vitest";
import { UncorrectedRun } from "../../../pipelines/audit/uncorrected-run.ts";
import { readRecipe, statusOf } from "../../../pipelines/run-status.ts";
import { trainingSetPipeline } from "../../../pipelines/training-set.ts";
import { CorrectedShops, RIGHTED } from "./corrected-shops.ts";

async function open(shops: CorrectedShops): Promise<UncorrectedRun> {
  const config = await readRecipe(shops.runsFolder, "shops");
  const { result, store } = await statusOf(path.join(shops.runsFolder, "shops"), config);
  const pipeline = trainingSetPipeline({
    config,
    roots: [],
    evaluationRoots: [],
    files: [],
    licenses: [],
    concurrency: 1,
    exporters: new Map(),
  });
  return new UncorrectedRun({ pipeline, artifacts: result.artifacts, store });
}

it("finds what a step made before the corrections, and says where there is nothing", async () => {
  const shops = await CorrectedShops.make();
  await shops.run([RIGHTED], { until: "import" });
  await expect((await open(shops)).step("import")).rejects.toMatchObject({ code: "RUN_WITHOUT_BASELINE" });
  const plain = await shops.run([], { until: "import" });
  const key = plain.steps.find(({ id }) => id === "import")?.key;
  await shops.run([RIGHTED], { until: "import" });
  const pairs = await open(shops);
  const { before, after } = await pairs.step("import");
  expect(before.manifest.key).toBe(key);
  expect(after.manifest.key).not.toBe(key);
  const fed = await pairs.fed("import", "examples");
  expect([fed.before.artifact.manifest.stage, fed.after.artifact.manifest.stage]).toEqual([
    "load",
    "apply-corrections",
  ]);
  expect(pairs.corrections().map(({ manifest }) => manifest.stage)).toEqual(["apply-corrections"]);
  await expect(pairs.step("score")).rejects.toMatchObject({ code: "RUN_UNFINISHED" });
});
