import path from "node:path";
import { expect, it } from "vitest";
import { parseRunConfig } from "../../pipelines/config.ts";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";
import { runTrainingSet } from "../../pipelines/run-training-set.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const prices = { promptUsdPerMillion: 2, completionUsdPerMillion: 10 };

const config = parseRunConfig(
  {
    gradus: 1,
    name: "forecast",
    datasets: [{ loader: "spider", root: "sample:spider", split: "test" }],
    models: { student: { provider: "simulated", name: "student", client: { prices } } },
    answers: {
      rollouts: [
        { model: "student", scaffold: "single-turn", samples: 3, sampling: { maxTokens: 100 } },
        {
          model: "student",
          scaffold: "sql-trail",
          samples: 2,
          sampling: { maxTokens: 100 },
          options: { maxTurns: 4 },
        },
      ],
    },
  },
  "forecast.yaml",
);

it("counts episodes, replies and tokens of the loaded questions, and their cost", async () => {
  const runsFolder = path.join(await temporaryFolder(), "runs");
  const options = {
    roots: { dataRoot: null, configFolder: ".", runsFolder },
    workers: 1,
    reporter: SILENT_REPORTER,
    signal: new AbortController().signal,
  };
  const before = await runTrainingSet(config, { ...options, until: null, dryRun: true });
  expect(before.forecasts).toEqual({});

  await runTrainingSet(config, { ...options, until: "profile", dryRun: false });
  const { forecasts } = await runTrainingSet(config, { ...options, until: null, dryRun: true });
  const { questions, finishedSamples, rollouts } = forecasts["sample"] ?? { rollouts: [] };
  const [single, trail] = rollouts;
  expect([questions, finishedSamples]).toEqual([20, 0]);
  expect(single).toMatchObject({ episodes: 60, repliesAtLeast: 60, repliesAtMost: 60 });
  expect(trail).toMatchObject({ episodes: 40, repliesAtLeast: 40, repliesAtMost: 160 });
  // 60 episodes of at most 100 tokens, 40 of at most 4 times 100.
  expect(rollouts.map((rollout) => rollout.completionTokensAtMost)).toEqual([6_000, 16_000]);
  // One turn sends the prompt once: least and most are the same.
  expect(single?.promptTokensAtMost).toBe(single?.promptTokensAtLeast);
  const promptTokens = single?.promptTokensAtLeast ?? 0;
  expect(trail?.promptTokensAtLeast).toBe((promptTokens * 2) / 3);
  expect(single?.costUsdAtMost).toBeCloseTo((promptTokens * 2 + 6_000 * 10) / 1e6, 10);
});
