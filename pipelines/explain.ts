import path from "node:path";
import { GradusError } from "../core/errors.ts";
import { Example } from "../core/example.ts";
import type { Execution } from "../core/execution.ts";
import type { PlugFinder } from "../core/plug.ts";
import { keyOf } from "../core/key.ts";
import { ScoredSample } from "../core/rows.ts";
import { Trajectory } from "../core/trajectory.ts";
import type { Artifact } from "../io/artifact-store.ts";
import { readJsonLines } from "../io/jsonl.ts";
import { oneLineText, shortenText } from "../synth/one-line-text.ts";
import { type ExplainedSample, renderRollout, type RolloutView, showExecution } from "./render-rollout.ts";

/** A row of a run that speaks of an example or a sample. */
export interface ExplainedRow {
  readonly step: string;
  readonly port: string;
  readonly row: Readonly<Record<string, unknown>>;
}

/** What a run knows under one id. */
export interface Explanation {
  /** The id that was meant: a prefix stands for the only id that begins with it. */
  readonly id: string;
  /** In the order of the steps. */
  readonly rows: readonly ExplainedRow[];
  /** The rollout, where the id is a sample's. */
  readonly sample: ExplainedSample | null;
}

/** Where the rows of a run are. */
export interface ExplainedRun {
  readonly artifacts: ReadonlyMap<string, Artifact>;
  /** Says which linker's episode comes before one of a scaffold. */
  readonly plugs: Pick<PlugFinder, "list" | "find">;
  /** Rows of samples that no step has yet, by the beginning of their id. */
  unfinished(prefix: string): Promise<readonly ExplainedRow[]>;
}

const NAMING_FIELDS = ["id", "exampleId", "trajectoryId", "rowId"];
const PREFIX = /^[0-9a-f]{4,32}$/;
/** Ids that a message lists. */
const MOST_LISTED = 8;

/**
 * Every row of a run that names `given`: an example's or a sample's id, or the first four or more digits of one,
 * or a dataset's own id of a question, which stands for every example that has it.
 * @throws EXPLAIN_NOTHING when no row does, EXPLAIN_AMBIGUOUS when several ids begin so.
 */
export async function explain(run: ExplainedRun, given: string): Promise<Explanation> {
  const names = new Set([given, ...(await examplesCalled(run, given))]);
  const { rows, begun } = await rowsNaming(run, names, given);
  if (rows.length > 0) return { id: given, rows, sample: await sampleOf(run, rows, given) };
  if (begun.size === 0 && PREFIX.test(given)) {
    for (const row of await run.unfinished(given)) {
      rows.push(row);
      begun.add(String(row.row["id"]));
    }
  }
  const [id, ...others] = begun;
  if (id === undefined) throw nothing(given);
  if (others.length > 0) throw ambiguous(given, [...begun]);
  if (rows.length === 0) rows.push(...(await rowsNaming(run, new Set([id]), id)).rows);
  return { id, rows, sample: await sampleOf(run, rows, id) };
}

/** Rows that have one of these names, and ids that begin with what was given. */
async function rowsNaming(
  run: ExplainedRun,
  names: ReadonlySet<string>,
  given: string,
): Promise<{ rows: ExplainedRow[]; begun: Set<string> }> {
  const rows: ExplainedRow[] = [];
  const begun = new Set<string>();
  const isPrefix = PREFIX.test(given);
  for await (const { step, port, row } of everyRow(run)) {
    const example = row["example"] as Record<string, unknown> | undefined;
    const named = [...NAMING_FIELDS.map((field) => row[field]), example?.["id"]];
    if (named.some((name) => typeof name === "string" && names.has(name))) rows.push({ step, port, row });
    const { id } = row;
    if (isPrefix && typeof id === "string" && id.length === 32 && id.startsWith(given)) begun.add(id);
  }
  return { rows, begun };
}

function nothing(given: string): GradusError {
  return new GradusError("EXPLAIN_NOTHING", `no row of the run names "${given}"`, {
    hint: "give an example's or a sample's id (32 hexadecimal digits, or the first four or more of them), or the dataset's own id of a question",
  });
}

function ambiguous(given: string, ids: readonly string[]): GradusError {
  const listed = ids.toSorted().slice(0, MOST_LISTED);
  const more = ids.length > listed.length ? `, and ${ids.length - listed.length} more` : "";
  return new GradusError(
    "EXPLAIN_AMBIGUOUS",
    `${ids.length} ids begin with "${given}", expected one: ${listed.join(", ")}${more}`,
    { hint: "give more digits of the one that you mean" },
  );
}

async function examplesCalled(run: ExplainedRun, sourceId: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { port, row } of everyRow(run, isLoad)) {
    if (port === "examples" && row["sourceId"] === sourceId) ids.push(String(row["id"]));
  }
  return ids;
}

/** The rollout among the rows that name a sample. */
async function sampleOf(
  run: ExplainedRun,
  rows: readonly ExplainedRow[],
  id: string,
): Promise<ExplainedSample | null> {
  const found = rows.find(({ row }) => row["id"] === id && Array.isArray(row["messages"]));
  const trajectory = Trajectory.safeParse(found?.row).data;
  if (trajectory === undefined) return null;
  const scored = rows.flatMap(({ step, row }) => {
    const sample = ScoredSample.safeParse(row).data;
    return sample === undefined ? [] : [{ step, sample }];
  });
  return {
    trajectory,
    scored,
    example: await exampleWith(run, trajectory.exampleId),
    linkings: await linkingsOf(run, trajectory),
  };
}

/** The linker's episodes that an answer's began with: of its scaffold's linker, for the same sample. */
async function linkingsOf(run: ExplainedRun, { scaffold, ...answer }: Trajectory): Promise<Trajectory[]> {
  if (!(await run.plugs.list("scaffold")).includes(scaffold.id)) return [];
  const plug = await run.plugs.find("scaffold", scaffold.id);
  const options: unknown = plug.options.safeParse(scaffold.options).data;
  const prelude = options === undefined ? null : (plug.prelude?.(options) ?? null);
  if (prelude === null || prelude === "gold_links") return [];
  const found: Trajectory[] = [];
  for await (const { port, row } of everyRow(run, (step) => step.endsWith("sample"))) {
    if (port !== "linkings" || row["exampleId"] !== answer.exampleId) continue;
    const linking = Trajectory.safeParse(row).data;
    if (linking === undefined || linking.scaffold.id !== prelude.scaffold) continue;
    const isOfIt =
      linking.sampleIndex === answer.sampleIndex &&
      linking.round === answer.round &&
      keyOf(linking.model) === keyOf(answer.model);
    if (isOfIt) found.push(linking);
  }
  return found;
}

async function exampleWith(run: ExplainedRun, id: string): Promise<Example | null> {
  for await (const { port, row } of everyRow(run, isLoad)) {
    if (port === "examples" && row["id"] === id) return Example.safeParse(row).data ?? null;
  }
  return null;
}

function isLoad(step: string): boolean {
  return /^(evaluation-)?(load|correct)/.test(step);
}

async function* everyRow(
  run: ExplainedRun,
  isWanted: (step: string) => boolean = () => true,
): AsyncGenerator<ExplainedRow> {
  for (const [step, artifact] of run.artifacts) {
    if (!isWanted(step)) continue;
    for (const port of Object.keys(artifact.manifest.outputs)) {
      for await (const { value } of readJsonLines(path.join(artifact.folder, `${port}.jsonl`))) {
        yield { step, port, row: value as Record<string, unknown> };
      }
    }
  }
}

const LINE = 200;

/**
 * An explanation for a person: the rollout turn by turn where the id is a sample's, and a line for each other
 * row with the fields that say what happened. Nothing in it can take hold of the terminal.
 */
export function renderExplanation({ rows, sample }: Explanation, view: RolloutView): string {
  const lines = rows
    .filter(({ row }) => sample === null || row["id"] !== sample.trajectory.id)
    .map(({ step, port, row }) => {
      const told = oneLineText(describeRow(row));
      return `${step}.${port}  ${view.full ? told : shortenText(told, LINE)}`;
    });
  if (sample === null) return lines.join("\n");
  return [renderRollout(sample, view), ...(lines.length === 0 ? [] : ["", ...lines])].join("\n");
}

/** Fields that a line tells first: what happened and why. */
const FIRST = [
  "reason",
  "verdicts",
  "execution",
  "executions",
  "labels",
  "message",
  "stopReason",
  "question",
  "finalSql",
];

/** Fields that a line leaves out: long ones, and those that every line would repeat. */
const LEFT_OUT = new Set([
  "messages",
  "prompt",
  "example",
  "trajectory",
  "history",
  "databaseDigest",
  "usage",
]);

function describeRow(row: Readonly<Record<string, unknown>>): string {
  const names = [
    ...FIRST.filter((name) => name in row),
    ...Object.keys(row).filter((name) => !FIRST.includes(name)),
  ];
  return names
    .map((name) => [name, row[name]] as const)
    .filter(([name, value]) => !LEFT_OUT.has(name) && value !== null && value !== "" && !isEmpty(value))
    .map(([name, value]) => `${name}=${showValue(name, value)}`)
    .join("  ")
    .replaceAll(/\s*\n\s*/g, " ");
}

/** A field's value in few characters: a run by its status, a verdict by its score, a model and a dataset by name. */
function showValue(name: string, value: unknown): string {
  if (typeof value === "string") return value;
  if (name === "execution") return showExecution(value as Execution);
  if (name === "executions") return (value as readonly Execution[]).map(showExecution).join(", ");
  if (name === "verdicts" || name === "labels") {
    const shown = Object.entries(value as Record<string, Record<string, unknown>>).map(
      ([id, verdict]) => `${id} ${String(verdict["score"] ?? verdict["label"] ?? verdict["reason"])}`,
    );
    return shown.join(", ");
  }
  if (name === "model" || name === "dataset") return Object.values(value as object).join(" ");
  return JSON.stringify(value);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
