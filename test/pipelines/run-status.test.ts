import { rmSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";
import { explain, readRecipe, renderExplanation, statusOf } from "../../pipelines/run-status.ts";
import { readRunConfig, runTrainingSet } from "../../pipelines/run-training-set.ts";
import { shopWorkspace } from "../e2e/shop-workspace.ts";

let runs: string;

beforeAll(async () => {
  const folder = await shopWorkspace();
  runs = path.join(folder, "runs");
  await runTrainingSet(await readRunConfig(path.join(folder, "run.yaml")), {
    roots: { dataRoot: null, configFolder: folder, runsFolder: runs },
    until: "filter",
    dryRun: false,
    workers: 1,
    reporter: SILENT_REPORTER,
    signal: new AbortController().signal,
  });
  rmSync(path.join(folder, "shops"), { recursive: true });
});

describe("readRecipe", () => {
  it("gives the config that the run was started with", async () => {
    expect(await readRecipe(runs, "shops")).toMatchObject({ name: "shops", validation: { fraction: 0.5 } });
  });

  it("names the runs that there are when there is no such one", async () => {
    await expect(readRecipe(runs, "shop")).rejects.toMatchObject({
      code: "RUN_UNKNOWN",
      message: expect.stringMatching(/no run "shop".*: shops$/) as unknown,
    });
  });
});

describe("statusOf", () => {
  it("shows what is done without the sources", async () => {
    const { result } = await statusOf(path.join(runs, "shops"), await readRecipe(runs, "shops"));
    const statuses = new Map(result.steps.map((step) => [step.id, step.status]));
    expect(statuses.get("filter")).toBe("reused");
    expect(statuses.get("split")).toBe("pending");
    expect(result.artifacts.get("filter")?.manifest.outputs["kept"]?.rows).toBe(12);
  });
});

describe("explain", () => {
  it("finds every row of a question by its own id, its example's and its sample's", async () => {
    const { result } = await statusOf(path.join(runs, "shops"), await readRecipe(runs, "shops"));
    const rows = await explain(result, "3");
    expect(rows.map(({ step, port }) => `${step}.${port}`)).toEqual(["load.examples", "filter.kept"]);
    const exampleId = String(rows[0]?.row["id"]);
    const byExample = await explain(result, exampleId);
    expect(byExample.map(({ step, port }) => `${step}.${port}`)).toEqual([
      "load.examples",
      "import.trajectories",
      "score.golds",
      "score.samples",
      "rates.rates",
      "filter.kept",
    ]);
    const trajectoryId = String(byExample[1]?.row["id"]);
    expect((await explain(result, trajectoryId)).map(({ step }) => step)).toEqual(["import", "score"]);
    expect(renderExplanation(rows)).toContain("load.examples\n");
  });

  it("says when no row speaks of an id", async () => {
    const { result } = await statusOf(path.join(runs, "shops"), await readRecipe(runs, "shops"));
    await expect(explain(result, "99")).rejects.toMatchObject({ code: "EXPLAIN_NOTHING" });
  });
});
