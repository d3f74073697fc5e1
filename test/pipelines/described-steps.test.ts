import path from "node:path";
import { expect, it } from "vitest";
import { Database } from "../../core/database.ts";
import { PromptRow } from "../../core/rows.ts";
import { parseRunConfig, type RunConfig } from "../../pipelines/config.ts";
import { describedSteps } from "../../pipelines/described-steps.ts";
import { ledgerStatus } from "../../pipelines/ledger-status.ts";
import { SILENT_REPORTER } from "../../pipelines/reporter.ts";
import { type RunOptions, runTrainingSet } from "../../pipelines/run-training-set.ts";
import { portRows } from "../e2e/raw-run.ts";
import { temporaryFolder } from "../temporary-folder.ts";

function configOf(changes: Readonly<Record<string, unknown>> = {}): RunConfig {
  return parseRunConfig(
    {
      gradus: 1,
      name: "described",
      datasets: [{ loader: "spider", root: "sample:spider", split: "test", limit: 2 }],
      models: { student: { provider: "simulated", name: "student", revision: "1" } },
      descriptions: { model: "student" },
      answers: { rollouts: [{ model: "student", scaffold: "single-turn", samples: 2 }] },
      filter: { trivial: null, intractable: null },
      validation: { fraction: 0 },
      ...changes,
    },
    "described.yaml",
  );
}

const LOADED = {
  steps: [],
  examples: { step: "load", port: "examples" },
  databases: { step: "profile", port: "databases" },
};

it("puts a step after the others whose databases take the place of theirs", () => {
  const found = describedSteps(LOADED, { config: configOf(), prefix: "evaluation-", part: null });
  expect(found.databases).toEqual({ step: "evaluation-describe", port: "databases" });
  expect(found.examples).toEqual(LOADED.examples);
  const [describing] = found.steps;
  expect(describing?.inputs).toEqual({ databases: LOADED.databases });
  expect(describing?.runtime).toEqual({ concurrency: 64, mayAsk: true });
  expect(describing?.stage.options.parse(describing.options)).toMatchObject({
    role: "student",
    model: { name: "student", revision: "1" },
    simulated: true,
    sampling: { temperature: 0.3, maxTokens: 4096 },
    columnsPerRequest: 40,
    replaceExisting: false,
  });
});

it("lets no worker ask, and adds nothing where the config has no descriptions", () => {
  const part = { index: 1, count: 2 };
  const [describing] = describedSteps(LOADED, { config: configOf(), prefix: "", part }).steps;
  expect(describing?.runtime).toMatchObject({ mayAsk: false });
  expect(describedSteps(LOADED, { config: configOf({ descriptions: null }), prefix: "", part })).toBe(LOADED);
});

function optionsOf(folder: string): Omit<RunOptions, "signal"> {
  return {
    roots: { dataRoot: null, configFolder: folder, runsFolder: path.join(folder, "runs") },
    until: null,
    dryRun: false,
    workers: 1,
    reporter: SILENT_REPORTER,
  };
}

it("a run shows the descriptions in its prompts, and counts them apart from its samples", async () => {
  const folder = await temporaryFolder();
  const runFolder = path.join(folder, "runs", "described");
  const run = (parts: Partial<RunOptions> = {}) =>
    runTrainingSet(configOf(), { ...optionsOf(folder), signal: new AbortController().signal, ...parts });
  const part = { index: 1, count: 1 };
  await expect(run({ part })).rejects.toMatchObject({
    code: "DESCRIPTIONS_MISSING",
  });
  await run({ until: "profile" });
  const before = await run({ dryRun: true });
  expect(before.forecasts["sample"]).toMatchObject({ questions: 2, finishedSamples: 0 });
  expect(before.descriptionForecasts["describe"]).toMatchObject({ finishedSamples: 0, costUsdAtMost: null });

  await run({ until: "describe" });
  const worker = await run({ part });
  expect(worker.steps.find(({ id }) => id === "sample")?.outputs["trajectories"]?.rows).toBe(4);

  await run();
  const databases = portRows(runFolder, "describe", "databases").map((row) => Database.parse(row));
  expect(databases.length).toBeGreaterThan(0);
  const columns = databases.flatMap(({ schema }) => schema.tables.flatMap((table) => table.columns));
  const kept = columns.filter(({ comment }) => !comment.startsWith("Simulated: the "));
  expect(kept.map(({ name, comment }) => [name, comment])).toEqual([["bpm", "beats per minute"]]);
  for (const row of portRows(runFolder, "prompts", "prompts")) {
    const { messages } = PromptRow.parse(row);
    expect(JSON.stringify(messages)).toContain("-- Simulated: the ");
  }
  const tables = databases.reduce((sum, { schema }) => sum + schema.tables.length, 0);
  expect(before.descriptionForecasts["describe"]?.requests).toBe(tables);
  expect(await ledgerStatus(runFolder)).toEqual({
    finished: 4,
    open: 0,
    discarded: 0,
    descriptions: { finished: tables, open: 0, discarded: 0 },
    failures: {},
  });
  const again = await run();
  expect(again.steps.filter(({ status }) => status === "ran")).toEqual([]);
});
