import path from "node:path";
import { expect, it } from "vitest";
import { parseRunConfig } from "../../pipelines/config.ts";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";
import { runTrainingSet } from "../../pipelines/run-training-set.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("counts requests, tokens and cost of the loaded databases", async () => {
  const client = { prices: { promptUsdPerMillion: 2, completionUsdPerMillion: 10 } };
  const config = parseRunConfig(
    {
      gradus: 1,
      name: "described",
      datasets: [{ loader: "spider", root: "sample:spider", split: "test", limit: 3 }],
      models: { student: { provider: "simulated", name: "student", client } },
      descriptions: { model: "student", replaceExisting: true, sampling: { maxTokens: 100 } },
      answers: { rollouts: [{ model: "student", scaffold: "single-turn", samples: 1 }] },
    },
    "described.yaml",
  );
  const options = {
    roots: { dataRoot: null, configFolder: ".", runsFolder: path.join(await temporaryFolder(), "runs") },
    workers: 1,
    reporter: SILENT_REPORTER,
    signal: new AbortController().signal,
  };
  const { steps } = await runTrainingSet(config, { ...options, until: "profile", dryRun: false });
  expect(steps.map(({ id }) => id)).toContain("profile");
  const { descriptionForecasts } = await runTrainingSet(config, { ...options, until: null, dryRun: true });
  const forecast = descriptionForecasts["describe"];
  const requests = forecast?.requests ?? 0;
  expect(requests).toBeGreaterThan(0);
  const prompt = forecast?.promptTokensAtLeast ?? 0;
  expect(forecast).toEqual({
    model: "student",
    requests,
    finishedSamples: 0,
    promptTokensAtLeast: prompt,
    promptTokensAtMost: 2 * prompt,
    completionTokensAtMost: requests * 200,
    costUsdAtLeast: (prompt * 2 + requests * 50 * 10) / 1e6,
    costUsdAtMost: (prompt * 4 + requests * 200 * 10) / 1e6,
  });
});
