import { expect, it } from "vitest";
import { parseRunConfig } from "../../../pipelines/config.ts";
import { SILENT_REPORTER } from "../../../pipelines/reporter.ts";
import { openServedRun } from "../../../pipelines/serve/served-run.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

async function open(changes: Readonly<Record<string, unknown>> = {}, isEvaluation = false) {
  const runsFolder = await temporaryFolder();
  const datasets = [{ loader: "spider", root: "sample:spider", split: "train", limit: 2 }];
  const answers = { rollouts: [{ model: "student", scaffold: "sql-trail", samples: 1 }] };
  const models = { student: { provider: "simulated", name: "simulated" } };
  const config = parseRunConfig(
    { gradus: 1, name: "served", datasets, models, answers, ...changes },
    "run.yaml",
  );
  return openServedRun({
    config,
    roots: { dataRoot: null, configFolder: ".", runsFolder },
    isEvaluation,
    service: "env",
    workers: 1,
    reporter: SILENT_REPORTER,
    signal: new AbortController().signal,
  });
}

it("loads a config's questions and databases; without a reward it is the outcome by the filter's metric", async () => {
  const run = await open();
  expect(run.examples.size).toBe(2);
  const example = await run.examples.find({ example_id: run.examples.ids(0, 1)[0] });
  expect(run.databases.get(example.databaseId)?.status).toBe("ok");
  expect(run.rollouts.map(({ scaffold }) => scaffold)).toEqual(["sql-trail"]);
  expect(run.rewards.map(({ reward, options }) => [reward.id, options])).toEqual([
    ["outcome", { terms: { answer: 1 }, metric: "bird-ex" }],
  ]);
  await run.close();
});

it("serves an evaluation only where there is one", async () => {
  await expect(open({}, true)).rejects.toMatchObject({ code: "SERVE_NO_EVALUATION" });
});
