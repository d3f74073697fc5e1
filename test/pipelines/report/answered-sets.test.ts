import path from "node:path";
import { expect, it } from "vitest";
import { readAnswers } from "../../../pipelines/report/answered-sets.ts";
import { openReportSource } from "../../../pipelines/report/report-source.ts";
import { writeLargeRun } from "../../e2e/large-run.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

it("reads answers once: figures, costs, and rollouts of each kind", async () => {
  const runs = await temporaryFolder();
  await writeLargeRun(path.join(runs, "r"), { questions: 4, answers: 2 });
  const source = await openReportSource(runs, "r");
  const read = await readAnswers(source, "");
  expect(read?.set).toMatchObject({
    name: "questions",
    metric: "bird-ex",
    questions: 4,
    answers: 8,
    simulated: 0,
  });
  const means = read?.set.accuracy.map(({ group, mean }) => [group, mean]);
  expect(means).toEqual([
    ["all", 0.75],
    ["dataset:spider 1.0 train", 0.75],
    ["hardness:easy", 1],
    ["hardness:medium", 1],
    ["hardness:hard", 0.5],
    ["hardness:extra", 0.5],
    ["turn:1", 1],
    ["turn:2", 1],
    ["turn:3", 0.5],
    ["turn:4", 0.5],
  ]);
  expect(read?.set.cost).toMatchObject([
    {
      answers: 8,
      promptTokens: 9612,
      completionTokens: 720,
      costUsd: 0.002,
      repliesPerAnswer: 2,
      mean: 0.75,
    },
  ]);
  expect(read?.rollouts.map(({ kind }) => kind)).toEqual([
    "right",
    "right",
    "repaired",
    "repaired",
    "repaired",
    "repaired",
    "wrong",
    "wrong",
  ]);
  expect(read?.movement).toEqual([]);
  expect(await readAnswers(source, "evaluation-")).toBeNull();
});
