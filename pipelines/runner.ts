import path from "node:path";
import type { Manifest, StageKeyParts } from "../core/artifact.ts";
import { GradusError, messageOf } from "../core/errors.ts";
import type { DatabaseProfiler } from "../core/database-profiler.ts";
import type { DatabaseInspector } from "../core/inspector.ts";
import type { Judge } from "../core/judge.ts";
import { keyOf } from "../core/key.ts";
import type { Ledger } from "../core/ledger.ts";
import type { ModelSource } from "../core/model.ts";
import type { PlugFinder } from "../core/plug.ts";
import type { SqlRunner } from "../core/sql-runner.ts";
import type { StageContext } from "../core/stage.ts";
import { type Artifact, ArtifactStore, type UnfinishedArtifact } from "../io/artifact-store.ts";
import { publishFolder } from "../io/publish.ts";
import { checkPipeline } from "./check-pipeline.ts";
import type { Pipeline, PipelineStep } from "./pipeline.ts";
import type { Reporter, StepReport } from "./reporter.ts";
import { readLatest, writeLatest } from "./run-folder.ts";
import { keyDifference, type ReadyStep, readyStep, SourceDigests, stageKeyParts } from "./step-key.ts";

/** What a run needs from outside. */
export interface RunServices {
  readonly plugs: PlugFinder;
  readonly judge: Judge;
  readonly inspector: DatabaseInspector;
  readonly profiler: DatabaseProfiler;
  readonly sql: SqlRunner;
  readonly models: ModelSource;
  ledger(): Promise<Ledger>;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

export interface RunRequest {
  readonly pipeline: Pipeline;
  /** `runs/<name>`. */
  readonly runFolder: string;
  readonly seed: number;
  /** The last step to run; `null` for all. */
  readonly until: string | null;
  /** Finds out what is done and would run; makes nothing. */
  readonly dryRun: boolean;
}

/** The artifacts of a run by step, and what happened to each step. */
export interface RunResult {
  readonly steps: readonly StepReport[];
  readonly artifacts: ReadonlyMap<string, Artifact>;
}

/**
 * Runs a pipeline: a step whose artifact exists under its key is reused, any other is made anew, its row
 * balances are checked, and its files are published. Stops at the first step that fails; finished steps
 * stay.
 * @throws PIPELINE_MALFORMED, STAGE_OPTIONS_INVALID, STAGE_UNBALANCED, STAGE_TOO_MANY_REJECTS, INTERRUPTED,
 * and whatever a stage throws.
 */
export async function runPipeline(request: RunRequest, services: RunServices): Promise<RunResult> {
  checkPipeline(request.pipeline);
  const steps = upTo(request.pipeline, request.until).map(readyStep);
  const store = new ArtifactStore(path.join(request.runFolder, "artifacts"));
  const artifacts = new Map<string, Artifact>();
  const reports: StepReport[] = [];
  const digests = new SourceDigests();
  const latest = await readLatest(request.runFolder);
  for (const ready of steps) {
    const { id, stage } = ready.step;
    const fed = Object.values(ready.step.inputs).every((link) => artifacts.has(link.step));
    if (!fed) {
      reports.push({
        id,
        stage: stage.name,
        status: "pending",
        key: null,
        changed: [],
        outputs: {},
        warnings: [],
      });
      continue;
    }
    const parts = await stageKeyParts(ready, request.seed, inputDigests(ready.step, artifacts), {
      plugs: services.plugs,
      digests,
      rows: inputRows(ready.step, store, artifacts),
    });
    const key = keyOf(parts);
    const before =
      latest[id] === undefined || latest[id] === key ? undefined : await store.find(id, latest[id]);
    const changed = before === undefined ? [] : keyDifference(before.manifest, parts);
    const found = await store.find(id, key);
    if (found === undefined && request.dryRun) {
      reports.push({ id, stage: stage.name, status: "pending", key, changed, outputs: {}, warnings: [] });
      continue;
    }
    if (found === undefined) services.reporter.stepStarted(id, changed);
    const warnings: string[] = [];
    const around = { store, artifacts, services, warnings };
    if (found !== undefined) await checkCounts(ready.step, found.manifest, around);
    const artifact = found ?? (await execute(ready, parts, around));
    artifacts.set(id, artifact);
    if (!request.dryRun) {
      await publish(ready.step, artifact, request.runFolder);
      latest[id] = key;
      await writeLatest(request.runFolder, latest);
    }
    const status = found === undefined ? "ran" : "reused";
    const { outputs } = artifact.manifest;
    reports.push({ id, stage: stage.name, status, key, changed, outputs, warnings });
    services.reporter.stepFinished(reports.at(-1) as StepReport);
  }
  return { steps: reports, artifacts };
}

/** The steps up to and including `until`. @throws STEP_UNKNOWN. */
export function upTo(pipeline: Pipeline, until: string | null): Pipeline {
  if (until === null) return pipeline;
  const index = pipeline.findIndex((step) => step.id === until);
  if (index >= 0) return pipeline.slice(0, index + 1);
  throw new GradusError(
    "STEP_UNKNOWN",
    `there is no step "${until}", expected one of: ${pipeline.map((step) => step.id).join(", ")}`,
    { hint: "gradus plan lists the steps of a config" },
  );
}

function inputDigests(step: PipelineStep, artifacts: ReadonlyMap<string, Artifact>): Record<string, string> {
  const digests: Record<string, string> = {};
  for (const [port, link] of Object.entries(step.inputs)) {
    digests[port] = artifacts.get(link.step)?.manifest.outputs[link.port]?.digest ?? "";
  }
  return digests;
}

interface Surroundings {
  readonly store: ArtifactStore;
  readonly artifacts: ReadonlyMap<string, Artifact>;
  readonly services: RunServices;
  readonly warnings: string[];
}

async function execute(ready: ReadyStep, parts: StageKeyParts, around: Surroundings): Promise<Artifact> {
  const { step } = ready;
  const unfinished = await around.store.begin(step.id, parts, Object.keys(step.stage.outputs));
  try {
    await feed(ready, parts.seed, unfinished, around);
    const artifact = await unfinished.seal();
    await checkCounts(step, artifact.manifest, around);
    return artifact;
  } catch (thrown) {
    await unfinished.abandon();
    if (around.services.signal.aborted) throw interrupted(step, thrown);
    if (thrown instanceof GradusError) throw thrown;
    throw new GradusError("STAGE_FAILED", `step ${step.id} failed: ${messageOf(thrown)}`, {
      site: { stage: step.stage.name },
      cause: thrown,
    });
  }
}

async function feed(
  ready: ReadyStep,
  seed: number,
  unfinished: UnfinishedArtifact,
  around: Surroundings,
): Promise<void> {
  const { step } = ready;
  const { stage } = step;
  const inputs = inputRows(step, around.store, around.artifacts);
  const context = contextOf(step, seed, unfinished.filesFolder, around);
  for await (const { port, row } of stage.run({
    inputs,
    options: ready.options,
    runtime: ready.runtime,
    context,
  })) {
    if (around.services.signal.aborted) break;
    const schema = stage.outputs[port];
    await unfinished.add(port, schema === undefined ? row : schema.parse(row), groupOf(row));
  }
  if (around.services.signal.aborted) throw interrupted(step);
}

/** The rows of a step's input ports; the artifacts they come from must be there. */
function inputRows(
  step: PipelineStep,
  store: ArtifactStore,
  artifacts: ReadonlyMap<string, Artifact>,
): Record<string, () => AsyncIterable<unknown>> {
  const inputs: Record<string, () => AsyncIterable<unknown>> = {};
  for (const [port, link] of Object.entries(step.inputs)) {
    const schema = step.stage.inputs[port] as (typeof step.stage.inputs)[string];
    inputs[port] = () => store.rows(artifacts.get(link.step) as Artifact, link.port, schema);
  }
  return inputs;
}

function interrupted(step: PipelineStep, cause?: unknown): GradusError {
  return new GradusError("INTERRUPTED", `interrupted in step ${step.id}`, {
    hint: "run the same command again: finished steps are kept",
    cause,
  });
}

function contextOf(step: PipelineStep, seed: number, folder: string, around: Surroundings): StageContext {
  const { services, warnings } = around;
  return {
    seed,
    signal: services.signal,
    plugs: services.plugs,
    judge: services.judge,
    inspector: services.inspector,
    profiler: services.profiler,
    sql: services.sql,
    models: services.models,
    ledger: () => services.ledger(),
    folder,
    progress: (done, total, note) => {
      services.reporter.progress(step.id, done, total, note);
    },
    warn: (message) => {
      warnings.push(message);
      services.reporter.warn(step.id, message);
    },
  };
}

/** The group that a row is counted under, if its kind has groups. */
function groupOf(row: unknown): string | undefined {
  if (typeof row !== "object" || row === null) return undefined;
  for (const name of ["reason", "code", "split"]) {
    const value = (row as Record<string, unknown>)[name];
    if (typeof value === "string") return value;
  }
  return undefined;
}

/** Holds the balances of a stage and its limit on rejects against the finished rows. */
async function checkCounts(step: PipelineStep, manifest: Manifest, around: Surroundings): Promise<void> {
  const rowsOf = (port: string): number => manifest.outputs[port]?.rows ?? 0;
  for (const balance of step.stage.balances) {
    const link = step.inputs[balance.input];
    const taken = around.artifacts.get(link?.step ?? "")?.manifest.outputs[link?.port ?? ""]?.rows ?? 0;
    const given = balance.outputs.reduce((sum, port) => sum + rowsOf(port), 0);
    if (taken !== given) {
      throw new GradusError(
        "STAGE_UNBALANCED",
        `step ${step.id} took ${taken} rows at ${balance.input} and gave ${given} at ${balance.outputs.join(" + ")}`,
        { hint: "this is a defect: please report it with the run's folder" },
      );
    }
  }
  const rejected = rowsOf("rejects");
  const all = Object.keys(manifest.outputs).reduce((sum, port) => sum + rowsOf(port), 0);
  if (rejected > 0 && rejected / all > step.maxRejectRate)
    throw await tooManyRejects(step, manifest, rejected, around);
}

async function tooManyRejects(
  step: PipelineStep,
  manifest: Manifest,
  rejected: number,
  around: Surroundings,
): Promise<GradusError> {
  const examples: string[] = [];
  const schema = step.stage.outputs["rejects"] as (typeof step.stage.outputs)[string];
  const artifact = { manifest, folder: around.store.folderOf(step.id, manifest.key) };
  for await (const row of around.store.rows(artifact, "rejects", schema)) {
    const { rowId, code, message } = row as { rowId: string; code: string; message: string };
    examples.push(`${rowId}: ${code}: ${message}`);
    if (examples.length === 3) break;
  }
  return new GradusError(
    "STAGE_TOO_MANY_REJECTS",
    `step ${step.id} refused ${rejected} rows, more than its limit (${step.maxRejectRate}); first: ${examples.join("; ")}`,
    { hint: "mend the rows, or raise maxRejectRate in the config to go on without them" },
  );
}

async function publish(step: PipelineStep, artifact: Artifact, runFolder: string): Promise<void> {
  if (step.publish === null) return;
  await publishFolder(artifact, path.join(runFolder, step.publish));
}
