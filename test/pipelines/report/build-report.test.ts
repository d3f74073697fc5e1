import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { buildReport } from "../../../pipelines/report/build-report.ts";
import { openReportSource } from "../../../pipelines/report/report-source.ts";
import { writeLargeRun } from "../../e2e/large-run.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { writtenRun } from "./written-run.ts";

it("says what the run has, and nothing of what it has not", async () => {
  const runs = await temporaryFolder();
  await writeLargeRun(path.join(runs, "r"), { questions: 4, answers: 2 });
  const report = await buildReport(await openReportSource(runs, "r"));
  expect(report.funnel).toEqual([
    { name: "questions", count: 4, depth: 0, share: null },
    { name: "unreadable", count: 0, depth: 1, share: 0 },
    { name: "loaded", count: 4, depth: 1, share: 1 },
  ]);
  expect(report.passRates?.byHardness.map(({ counts }) => counts)).toEqual([
    [0, 0, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 1],
    [0, 0, 1, 0, 0, 0],
    [0, 0, 1, 0, 0, 0],
  ]);
  expect(report.rounds?.coverage).toEqual([{ round: 1, examples: 4, covered: 2, trajectories: 4 }]);
  expect(report.rewards[0]).toMatchObject({ count: 8, mean: 0.75 });
  expect([report.curriculum, report.evaluation]).toEqual([null, []]);
});

it("is empty for a run that has not begun", async () => {
  const report = await buildReport(await writtenRun({}));
  expect(report).toMatchObject({
    funnel: [],
    sets: [],
    passRates: null,
    rounds: null,
    rewards: [],
    rollouts: [],
  });
});

it("leaves places of a machine out of the recipe", async () => {
  const source = await writtenRun({});
  const recipe = {
    seed: 5,
    models: { student: { name: "m", revision: "2", provider: "openai", client: { baseUrl: "http://here" } } },
    datasets: [{ loader: "bird", split: "dev", root: "/home/me" }],
    evaluation: { datasets: [{ loader: "spider", split: "test", root: "/home/me" }] },
  };
  writeFileSync(path.join(source.folder, "recipe.lock.json"), JSON.stringify(recipe));
  const { run } = await buildReport(await openReportSource(path.dirname(source.folder), "small"));
  expect(run.models).toEqual([{ role: "student", name: "m", revision: "2", provider: "openai" }]);
  expect(run.datasets.map(({ use }) => use)).toEqual(["training", "evaluation"]);
  expect(run.seed).toBe(5);
  expect(JSON.stringify(run.recipe)).not.toMatch(/here|home/);
});
