import { z } from "zod";
import type { Manifest, StageKeyParts } from "../core/artifact.ts";
import { GradusError } from "../core/errors.ts";
import { canonicalJson, type Json } from "../core/key.ts";
import type { PlugFinder } from "../core/plug.ts";
import type { Rows } from "../core/stage.ts";
import { digestFile } from "../io/files.ts";
import type { PipelineStep } from "./pipeline.ts";

/** A step with its options read by the stage's schemas. */
export interface ReadyStep {
  readonly step: PipelineStep;
  readonly options: unknown;
  readonly runtime: unknown;
}

/**
 * Reads a step's options.
 * @throws STAGE_OPTIONS_INVALID naming the step and each wrong option.
 */
export function readyStep(step: PipelineStep): ReadyStep {
  return {
    step,
    options: read(step, "options", step.stage.options, step.options),
    runtime: read(step, "runtime options", step.stage.runtime, step.runtime),
  };
}

function read(step: PipelineStep, what: string, schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new GradusError(
    "STAGE_OPTIONS_INVALID",
    `the ${what} of step ${step.id} are wrong: ${z.prettifyError(parsed.error)}`,
  );
}

/** Digests of source files, each file read once. */
export class SourceDigests {
  readonly #digests = new Map<string, Promise<string>>();

  of(file: string): Promise<string> {
    let digest = this.#digests.get(file);
    if (digest === undefined) {
      digest = digestFile(file).then(({ sha256 }) => sha256);
      this.#digests.set(file, digest);
    }
    return digest;
  }
}

/** What the key of a step is made with; `rows` are those of its input ports. */
export interface KeyServices {
  readonly plugs: PlugFinder;
  readonly digests: SourceDigests;
  readonly rows: Readonly<Record<string, Rows<unknown>>>;
}

/** All that decides a step's rows: `keyOf` it is the step's key. `inputs` maps input ports to row digests. */
export async function stageKeyParts(
  ready: ReadyStep,
  seed: number,
  inputs: Readonly<Record<string, string>>,
  services: KeyServices,
): Promise<StageKeyParts> {
  const { stage } = ready.step;
  const plugs = [];
  for (const { kind, id } of await stage.plugs(ready.options, services.plugs)) {
    plugs.push({ kind, id, version: (await services.plugs.find(kind, id)).version });
  }
  const sources = [];
  for (const source of await stage.sources(ready.options, ready.runtime, services.plugs, services.rows)) {
    sources.push({ name: source.name, sha256: await services.digests.of(source.path) });
  }
  const options = JSON.parse(canonicalJson(ready.options)) as StageKeyParts["options"];
  return { stage: stage.name, version: stage.version, seed, options, plugs, inputs: { ...inputs }, sources };
}

/** What differs between two makings of a step, as lines for a person. */
export function keyDifference(before: Manifest, after: StageKeyParts): string[] {
  const lines: string[] = [];
  if (before.version !== after.version) lines.push(`stage version ${before.version} -> ${after.version}`);
  if (before.seed !== after.seed) lines.push(`seed ${before.seed} -> ${after.seed}`);
  describeChanges("options", before.options, after.options, lines);
  const plugsBefore = Object.fromEntries(
    before.plugs.map((plug) => [`${plug.kind} ${plug.id}`, plug.version]),
  );
  const plugsAfter = Object.fromEntries(after.plugs.map((plug) => [`${plug.kind} ${plug.id}`, plug.version]));
  describeChanges("plugs", plugsBefore, plugsAfter, lines);
  for (const [port, digest] of Object.entries(after.inputs)) {
    if (before.inputs[port] !== digest) lines.push(`rows of input ${port} changed`);
  }
  const known = new Map(before.sources.map((source) => [source.name, source.sha256]));
  for (const source of after.sources) {
    if (!known.has(source.name)) lines.push(`file ${source.name} is new`);
    else if (known.get(source.name) !== source.sha256) lines.push(`file ${source.name} changed`);
    known.delete(source.name);
  }
  for (const name of known.keys()) lines.push(`file ${name} is gone`);
  return lines;
}

function describeChanges(
  path: string,
  before: Json | undefined,
  after: Json | undefined,
  lines: string[],
): void {
  if (canonicalJson(before ?? null) === canonicalJson(after ?? null)) return;
  if (isRecord(before) && isRecord(after)) {
    for (const name of [...new Set([...Object.keys(before), ...Object.keys(after)])].sort()) {
      describeChanges(`${path}.${name}`, before[name], after[name], lines);
    }
    return;
  }
  lines.push(`${path} ${canonicalJson(before ?? null)} -> ${canonicalJson(after ?? null)}`);
}

function isRecord(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
