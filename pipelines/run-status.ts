import path from "node:path";
import { GradusError } from "../core/errors.ts";
import type { ShardSet } from "../core/shard.ts";
import { type Artifact, ArtifactStore } from "../io/artifact-store.ts";
import { kindOf, listFolder, readText } from "../io/files.ts";
import { type RunConfig, parseRunConfig } from "./config.ts";
import { readLatest } from "./run-folder.ts";
import type { RunResult } from "./runner.ts";
import type { StepReport } from "./reporter.ts";
import { trainingSetPipeline } from "./training-set.ts";

/**
 * The recipe that a run was last started with.
 * @throws RUN_UNKNOWN listing the runs that there are; RUN_OF_ANOTHER_KIND; CONFIG_INVALID for one of another version.
 */
export async function readRecipe(runsFolder: string, name: string): Promise<RunConfig> {
  const file = path.join(runsFolder, name, "recipe.lock.json");
  if ((await kindOf(file)) !== "file") {
    const runs = await runNames(runsFolder);
    throw new GradusError(
      "RUN_UNKNOWN",
      `there is no run "${name}" in ${runsFolder}, expected one of: ${runs.length === 0 ? "none yet" : runs.join(", ")}`,
      { hint: "gradus run <config> starts one" },
    );
  }
  const recipe = JSON.parse(await readText(file)) as { command?: unknown };
  if (typeof recipe.command === "string") {
    throw new GradusError(
      "RUN_OF_ANOTHER_KIND",
      `the run "${name}" was made by gradus ${recipe.command}, expected one made by gradus run`,
      {
        hint: `run the same gradus ${recipe.command} command again: it prints its result and makes nothing twice`,
      },
    );
  }
  return parseRunConfig(recipe, file);
}

/** The runs of a folder; one that only workers have sampled so far shows as its workers, `quickstart/worker-1-of-2`. */
async function runNames(runsFolder: string): Promise<readonly string[]> {
  const names: string[] = [];
  for (const entry of await listFolder(runsFolder)) {
    if (entry.startsWith(".")) continue;
    const folder = path.join(runsFolder, entry);
    const isMerged = (await kindOf(path.join(folder, "recipe.lock.json"))) === "file";
    const workers = isMerged || (await kindOf(folder)) !== "folder" ? [] : await listFolder(folder);
    const parts = workers.filter((name) => /^worker-\d+-of-\d+$/.test(name));
    names.push(...(parts.length === 0 ? [entry] : parts.map((part) => `${entry}/${part}`)));
  }
  return names;
}

/** A run as its artifacts show it, without running anything or reading a source file. */
export async function statusOf(
  runFolder: string,
  config: RunConfig,
): Promise<{ result: RunResult; store: ArtifactStore }> {
  const store = new ArtifactStore(path.join(runFolder, "artifacts"));
  const latest = await readLatest(runFolder);
  const artifacts = new Map<string, Artifact>();
  const steps: StepReport[] = [];
  const exporters = new Map<string, ShardSet>();
  for (const id of Object.keys(latest).filter((step) => /^export-(?!.*-linker$)/.test(step)))
    exporters.set(id.slice(7), "rl");
  const pipeline = trainingSetPipeline({
    config,
    roots: [],
    evaluationRoots: [],
    files: [],
    licenses: [],
    concurrency: 1,
    exporters,
  });
  const ids = [...new Set([...pipeline.map((step) => step.id), ...Object.keys(latest)])];
  for (const id of ids) {
    const key = latest[id] ?? null;
    const artifact = key === null ? undefined : await store.find(id, key);
    if (artifact !== undefined) artifacts.set(id, artifact);
    const status = artifact === undefined ? "pending" : "reused";
    const outputs = artifact?.manifest.outputs ?? {};
    steps.push({
      id,
      stage: artifact?.manifest.stage ?? id,
      status,
      key,
      changed: [],
      outputs,
      warnings: [],
    });
  }
  return { result: { steps, artifacts }, store };
}
