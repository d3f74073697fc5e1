import path from "node:path";
import { type Artifact, ArtifactStore } from "../../io/artifact-store.ts";
import { kindOf, readText } from "../../io/files.ts";
import { readJsonLines } from "../../io/jsonl.ts";
import { artifactsOfRun } from "../explained-run.ts";

/** A run as a report reads it. */
export interface ReportSource {
  readonly name: string;
  readonly folder: string;
  readonly store: ArtifactStore;
  /** Finished steps in their order. */
  readonly artifacts: ReadonlyMap<string, Artifact>;
  /** `recipe.lock.json` as it stands. */
  readonly recipe: Readonly<Record<string, unknown>>;
}

/** Opens a run of `runsFolder`. Throws RUN_UNKNOWN listing the runs that there are. */
export async function openReportSource(runsFolder: string, name: string): Promise<ReportSource> {
  const folder = path.join(runsFolder, name);
  const artifacts = await artifactsOfRun(runsFolder, name);
  const recipe = recordOf(await readJsonFile(path.join(folder, "recipe.lock.json"))) ?? {};
  return { name, folder, store: new ArtifactStore(path.join(folder, "artifacts")), artifacts, recipe };
}

/** The value of a JSON file; `undefined` where there is none or it does not read. */
export async function readJsonFile(file: string): Promise<unknown> {
  if ((await kindOf(file)) !== "file") return undefined;
  try {
    return JSON.parse(await readText(file));
  } catch {
    return undefined;
  }
}

/** A value as a record, where it is one. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** The artifact and port whose rows a finished step was fed at `port`. */
export function fedTo(
  source: ReportSource,
  step: string,
  port: string,
): { readonly artifact: Artifact; readonly port: string } | undefined {
  const digest = source.artifacts.get(step)?.manifest.inputs[port];
  if (digest === undefined) return undefined;
  for (const artifact of source.artifacts.values()) {
    const found = Object.entries(artifact.manifest.outputs).find(([, output]) => output.digest === digest);
    if (found !== undefined) return { artifact, port: found[0] };
  }
  return undefined;
}

/** The rows of a port as they are on disk, not checked against a schema. */
export async function* looseRows(
  artifact: Artifact,
  port: string,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for await (const { value } of readJsonLines(path.join(artifact.folder, `${port}.jsonl`))) {
    const row = recordOf(value);
    if (row !== undefined) yield row;
  }
}
