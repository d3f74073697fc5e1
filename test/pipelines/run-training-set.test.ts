import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";
import { readRunConfig, type RunOptions, runTrainingSet } from "../../pipelines/run-training-set.ts";
import { falselyWhole, filesBelow } from "../e2e/raw-run.ts";
import { shopWorkspace } from "../e2e/shop-workspace.ts";
import { temporaryFolder } from "../temporary-folder.ts";

function options(folder: string): RunOptions {
  return {
    roots: { dataRoot: null, configFolder: folder, runsFolder: path.join(folder, "runs") },
    until: null,
    dryRun: false,
    workers: 1,
    reporter: SILENT_REPORTER,
    signal: new AbortController().signal,
  };
}

describe("readRunConfig", () => {
  it("reads YAML and fills in what is left out", async () => {
    const folder = await temporaryFolder();
    const file = path.join(folder, "run.yaml");
    const lines = [
      "gradus: 1",
      "name: small",
      "datasets: [{ loader: spider, root: ./shops, split: dev }]",
      "answers: { import: [{ model: { name: m }, files: [./answers.txt] }] }",
    ];
    writeFileSync(file, lines.join("\n"));
    const config = await readRunConfig(file);
    expect(config).toMatchObject({ name: "small", seed: 1, validation: { fraction: 0.1 } });
    expect(config.export.exporters).toEqual(["verl-rl", "messages-sft"]);
  });

  it.each([
    ["FILE_MISSING", undefined],
    ["CONFIG_MALFORMED", "name: [1, 2"],
    ["CONFIG_INVALID", "name: small"],
  ])("throws %s", async (code, text) => {
    const file = path.join(await temporaryFolder(), "run.yaml");
    if (text !== undefined) writeFileSync(file, text);
    await expect(readRunConfig(file)).rejects.toMatchObject({ code });
  });
});

describe("runTrainingSet", () => {
  it("runs a config to its shards, and then finds everything done", async () => {
    const folder = await shopWorkspace();
    const config = await readRunConfig(path.join(folder, "run.yaml"));
    const first = await runTrainingSet(config, options(folder));
    expect(new Set(first.steps.map((step) => step.status))).toEqual(new Set(["ran"]));
    expect(first.shards).toEqual(["shards/verl-rl", "shards/messages-sft"]);
    expect(first.funnel[0]).toEqual({ name: "questions", count: 12, depth: 0 });
    expect(first.accuracy.find((row) => row.group === "all")).toMatchObject({ n: 12, mean: 4 / 12 });
    expect(falselyWhole(path.join(folder, "runs/shops"))).toEqual([]);
    const second = await runTrainingSet(config, options(folder));
    expect(new Set(second.steps.map((step) => step.status))).toEqual(new Set(["reused"]));
    expect(second.funnel).toEqual(first.funnel);
  });

  it("makes nothing in a dry run", async () => {
    const folder = await shopWorkspace();
    const config = await readRunConfig(path.join(folder, "run.yaml"));
    const summary = await runTrainingSet(config, { ...options(folder), dryRun: true });
    expect(summary.steps[0]).toMatchObject({ id: "load", status: "pending" });
    expect(summary.shards).toEqual([]);
    expect(filesBelow(path.join(folder, "runs"))).toEqual([]);
  });

  it("is INTERRUPTED by its signal", async () => {
    const folder = await shopWorkspace();
    const config = await readRunConfig(path.join(folder, "run.yaml"));
    const signal = AbortSignal.abort();
    await expect(runTrainingSet(config, { ...options(folder), signal })).rejects.toMatchObject({
      code: "INTERRUPTED",
    });
  });
});
