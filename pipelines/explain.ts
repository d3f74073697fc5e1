import path from "node:path";
import { GradusError } from "../core/errors.ts";
import { readJsonLines } from "../io/jsonl.ts";
import type { RunResult } from "./runner.ts";

/** A row of a run that speaks of an example or a sample. */
export interface ExplainedRow {
  readonly step: string;
  readonly port: string;
  readonly row: Readonly<Record<string, unknown>>;
}

const NAMING_FIELDS = ["id", "exampleId", "trajectoryId", "rowId"];

/**
 * Every row of a run that names `id` (an example's or a sample's id, or a dataset's own id of a question), in
 * the order of the steps. A dataset's own id stands for every example that has it.
 * @throws EXPLAIN_NOTHING when no row does.
 */
export async function explain(result: RunResult, id: string): Promise<ExplainedRow[]> {
  const names = new Set([id, ...(await examplesCalled(result, id))]);
  const found: ExplainedRow[] = [];
  for await (const { step, port, row } of everyRow(result)) {
    const example = row["example"] as Record<string, unknown> | undefined;
    const named = [...NAMING_FIELDS.map((field) => row[field]), example?.["id"]];
    if (named.some((name) => typeof name === "string" && names.has(name))) found.push({ step, port, row });
  }
  if (found.length > 0) return found;
  throw new GradusError("EXPLAIN_NOTHING", `no row of the run names "${id}"`, {
    hint: "give an example's or a sample's id (32 hexadecimal digits), or the dataset's own id of a question",
  });
}

async function examplesCalled(result: RunResult, sourceId: string): Promise<string[]> {
  const ids: string[] = [];
  for await (const { port, row } of everyRow(result, (step) => step.startsWith("load"))) {
    if (port === "examples" && row["sourceId"] === sourceId) ids.push(String(row["id"]));
  }
  return ids;
}

async function* everyRow(
  result: RunResult,
  isWanted: (step: string) => boolean = () => true,
): AsyncGenerator<ExplainedRow> {
  for (const [step, artifact] of result.artifacts) {
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
 * Explained rows for a person: a line a row with the fields that say what happened; the rollout of the one
 * sample that was asked for turn by turn.
 */
export function renderExplanation(rows: readonly ExplainedRow[], id: string): string {
  return rows
    .map(({ step, port, row }) => {
      const head = `${step}.${port}`;
      const messages = row["messages"];
      if (row["id"] === id && Array.isArray(messages)) return `${head}\n${renderTurns(messages)}`;
      return `${head}  ${shorten(describeRow(row), LINE)}`;
    })
    .join("\n");
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
  if (name === "execution") return showExecution(value);
  if (name === "executions") return (value as readonly unknown[]).map(showExecution).join(", ");
  if (name === "verdicts" || name === "labels") {
    const shown = Object.entries(value as Record<string, Record<string, unknown>>).map(
      ([id, verdict]) => `${id} ${String(verdict["score"] ?? verdict["label"] ?? verdict["reason"])}`,
    );
    return shown.join(", ");
  }
  if (name === "model" || name === "dataset") return Object.values(value as object).join(" ");
  return JSON.stringify(value);
}

function showExecution(value: unknown): string {
  const { status, rows, message } = value as Record<string, unknown>;
  return message === ""
    ? `${String(status)} (${String(rows)} rows)`
    : `${String(status)} (${String(message)})`;
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function renderTurns(messages: readonly Record<string, unknown>[]): string {
  return messages
    .map((message) => {
      const { role, origin, rawText, trainReason } = message;
      const said = String(rawText)
        .split("\n")
        .map((line) => `    ${line}`)
        .join("\n");
      return `  ${String(role)} (${String(origin)}, ${message["train"] === true ? "trained" : "not trained"}: ${String(trainReason)})\n${said}`;
    })
    .join("\n");
}

function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
