import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";
import { readRecipe, statusOf } from "../../pipelines/run-status.ts";
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

it("names the workers of a run that only workers have sampled", async () => {
  const recipe = readFileSync(path.join(runs, "shops", "recipe.lock.json"));
  for (const part of ["worker-1-of-2", "worker-2-of-2"]) {
    mkdirSync(path.join(runs, "parted", part), { recursive: true });
    writeFileSync(path.join(runs, "parted", part, "recipe.lock.json"), recipe);
  }
  await expect(readRecipe(runs, "parted")).rejects.toMatchObject({
    code: "RUN_UNKNOWN",
    message: expect.stringMatching(/: parted\/worker-1-of-2, parted\/worker-2-of-2, shops$/) as unknown,
  });
  expect(await readRecipe(runs, "parted/worker-1-of-2")).toMatchObject({ name: "shops" });
  rmSync(path.join(runs, "parted"), { recursive: true });
});

it("says which command made a run that is none of gradus run", async () => {
  mkdirSync(path.join(runs, "judged"));
  writeFileSync(path.join(runs, "judged", "recipe.lock.json"), '{"command":"evaluate"}');
  await expect(readRecipe(runs, "judged")).rejects.toMatchObject({ code: "RUN_OF_ANOTHER_KIND" });
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
