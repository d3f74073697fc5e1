import path from "node:path";
import { expect, it } from "vitest";
import { effectOfCorrections } from "../../../pipelines/audit/correction-effect.ts";
import { readRecipe, statusOf } from "../../../pipelines/run-status.ts";
import { trainingSetPipeline } from "../../../pipelines/training-set.ts";
import { runAudit } from "./run-audit.ts";
import { CorrectedShops, RIGHTED } from "./corrected-shops.ts";

const EFFECT = {
  corrections: { applied: 1, questions: 1, byField: { gold: 1 } },
  questions: 12,
  resampled: 0,
  buckets: [
    { bucket: "kept", before: 0, after: 0 },
    { bucket: "intractable", before: 8, after: 7 },
    { bucket: "trivial", before: 4, after: 5 },
  ],
  moved: [
    {
      sourceId: "1",
      corrected: ["gold"],
      isResampled: false,
      from: "intractable",
      to: "trivial",
      before: { n: 1, c: 0 },
      after: { n: 1, c: 1 },
    },
  ],
  verdicts: { metric: "bird-ex", judgedTwice: 12, wrongToRight: 1, rightToWrong: 0, other: 0 },
  accuracy: [{ metric: "bird-ex", before: { n: 12, mean: 4 / 12 }, after: { n: 12, mean: 5 / 12 } }],
};

it("a corrected gold moves its question and no other, which the command tells too", async () => {
  const shops = await CorrectedShops.make();
  await shops.run([]);
  await expect(runAudit("effect", "shops", "--runs", shops.runsFolder)).rejects.toMatchObject({
    code: "RUN_UNCORRECTED",
  });
  await shops.run([RIGHTED]);
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
  const effect = await effectOfCorrections({ pipeline, artifacts: result.artifacts, store }, "bird-ex");
  expect(effect).toMatchObject(EFFECT);
  expect(JSON.parse(await runAudit("effect", "shops", "--runs", shops.runsFolder, "--json"))).toEqual({
    run: "shops",
    ...effect,
  });
});
