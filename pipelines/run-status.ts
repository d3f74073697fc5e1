import path from "node:path";
import { GradusError } from "../core/errors.ts";
import { type Artifact, ArtifactStore } from "../io/artifact-store.ts";
import { kindOf, listFolder, readText } from "../io/files.ts";
import { readJsonLines } from "../io/jsonl.ts";
import { type RunConfig, parseRunConfig } from "./config.ts";
import { readLatest } from "./run-folder.ts";
import type { RunResult } from "./runner.ts";
import type { StepReport } from "./reporter.ts";
import { trainingSetPipeline } from "./training-set.ts";

/**
 * The recipe that a run was last started with.
 * @throws RUN_UNKNOWN listing the runs that there are; CONFIG_INVALID for one of another version.
 */
export async function readRecipe(runsFolder: string, name: string): Promise<RunConfig> {
  const file = path.join(runsFolder, name, "recipe.lock.json");
  if ((await kindOf(file)) !== "file") {
    const runs = (await listFolder(runsFolder)).filter((entry) => !entry.startsWith("."));
    throw new GradusError(
      "RUN_UNKNOWN",
      `there is no run "${name}" in ${runsFolder}, expected one of: ${runs.length === 0 ? "none yet" : runs.join(", ")}`,
      { hint: "gradus run <config> starts one" },
    );
  }
  return parseRunConfig(JSON.parse(await readText(file)), file);
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
  const exporters = new Map<string, "rl" | "sft">();
  for (const id of Object.keys(latest).filter((step) => step.startsWith("export-")))
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

/** A row of a run that speaks of an example or a sample. */
export interface ExplainedRow {
  readonly step: string;
  readonly port: string;
  readonly row: Readonly<Record<string, unknown>>;
}

const NAMING_FIELDS = ["id", "exampleId", "trajectoryId", "sourceId", "rowId"];

/**
 * Every row of a run that names `id` (an example's or a sample's id, or a dataset's own id), in the order of
 * the steps.
 * @throws EXPLAIN_NOTHING when no row does.
 */
export async function explain(result: RunResult, id: string): Promise<ExplainedRow[]> {
  const found: ExplainedRow[] = [];
  for (const [step, artifact] of result.artifacts) {
    for (const port of Object.keys(artifact.manifest.outputs)) {
      for await (const { value } of readJsonLines(path.join(artifact.folder, `${port}.jsonl`))) {
        const row = value as Record<string, unknown>;
        const names = NAMING_FIELDS.map((field) => row[field]);
        const nested = (row["example"] as Record<string, unknown> | undefined)?.["id"];
        if (names.includes(id) || nested === id) found.push({ step, port, row });
      }
    }
  }
  if (found.length > 0) return found;
  throw new GradusError("EXPLAIN_NOTHING", `no row of the run names "${id}"`, {
    hint: "give an example's or a sample's id (32 hexadecimal digits), or the dataset's own id of a question",
  });
}

/** Explained rows for a person: a line a row with the fields that say what happened. */
export function renderExplanation(rows: readonly ExplainedRow[]): string {
  return rows.map(({ step, port, row }) => `${step}.${port}\n${describeRow(row)}`).join("\n");
}

const LONG = 400;

function describeRow(row: Readonly<Record<string, unknown>>): string {
  return Object.entries(row)
    .filter(([, value]) => value !== null && value !== "" && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return `    ${name}: ${text.length > LONG ? `${text.slice(0, LONG)}…` : text}`;
    })
    .join("\n");
}
