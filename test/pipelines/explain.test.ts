import path from "node:path";
import { beforeAll, expect, it } from "vitest";
import { type ExplainedRow, explain, renderExplanation } from "../../pipelines/explain.ts";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";
import type { RunResult } from "../../pipelines/runner.ts";
import { readRecipe, statusOf } from "../../pipelines/run-status.ts";
import { readRunConfig, runTrainingSet } from "../../pipelines/run-training-set.ts";
import { shopWorkspace } from "../e2e/shop-workspace.ts";

let result: RunResult;

beforeAll(async () => {
  const folder = await shopWorkspace();
  const runs = path.join(folder, "runs");
  await runTrainingSet(await readRunConfig(path.join(folder, "run.yaml")), {
    roots: { dataRoot: null, configFolder: folder, runsFolder: runs },
    until: "filter",
    dryRun: false,
    workers: 1,
    reporter: SILENT_REPORTER,
    signal: new AbortController().signal,
  });
  ({ result } = await statusOf(path.join(runs, "shops"), await readRecipe(runs, "shops")));
});

function places(rows: readonly ExplainedRow[]): string[] {
  return rows.map(({ step, port }) => `${step}.${port}`);
}

const LIFE = [
  "load.examples",
  "import.trajectories",
  "score.golds",
  "score.samples",
  "rates.rates",
  "filter.kept",
];

it("tells the whole life of a question by the dataset's own id and by its example's", async () => {
  const rows = await explain(result, "3");
  expect(places(rows)).toEqual(LIFE);
  expect(places(await explain(result, String(rows[0]?.row["id"])))).toEqual(LIFE);
});

it("tells of one sample, turn by turn", async () => {
  const [, trajectory] = await explain(result, "3");
  const id = String(trajectory?.row["id"]);
  const rows = await explain(result, id);
  expect(places(rows)).toEqual(["import.trajectories", "score.samples"]);
  const text = renderExplanation(rows, id);
  expect(text).toContain("import.trajectories\n  assistant (sampled, trained: answer)\n    ```sql\n");
  expect(text).toContain("score.samples  verdicts=bird-ex 1  execution=ok (2 rows)");
});

it("tells a row in a line", async () => {
  const text = renderExplanation(await explain(result, "3"), "3");
  expect(text.split("\n")).toHaveLength(LIFE.length);
});

it("says when no row speaks of an id", async () => {
  await expect(explain(result, "99")).rejects.toMatchObject({ code: "EXPLAIN_NOTHING" });
});
