import type { Database } from "../../core/database.ts";
import type { Example } from "../../core/example.ts";
import type {
  GoldRow,
  KeptExample,
  PassRate,
  PromptRow,
  ScoredSample,
  SplitExample,
} from "../../core/rows.ts";
import type { Message, Trajectory } from "../../core/trajectory.ts";
import { scored, type Verdict } from "../../core/verdict.ts";
import { executed } from "../fakes/judge.ts";

/** A 32-character id that starts with `name`. */
export function idOf(name: string): string {
  return name.padEnd(32, "0");
}

export function example(name: string, parts: Partial<Example> = {}): Example {
  return {
    id: idOf(name),
    dataset: { name: "sample", release: "1", split: "dev" },
    sourceId: name,
    databaseId: "ferries",
    question: `Question ${name}?`,
    evidence: null,
    history: [],
    dialogue: null,
    gold: ["SELECT 1"],
    difficulty: null,
    paraphraseOf: null,
    referenceReasoning: null,
    ...parts,
  };
}

export function database(databaseId: string, parts: Partial<Database> = {}): Database {
  return {
    databaseId,
    status: "ok",
    message: "",
    digest: `digest of ${databaseId}`,
    bytes: 1,
    schema: { databaseId, tables: [], foreignKeys: [] },
    describedForeignKeys: null,
    rowCounts: [],
    values: [],
    ...parts,
  };
}

export function message(role: Message["role"], text: string): Message {
  return {
    role,
    origin: role === "assistant" ? "sampled" : "given",
    rawText: text,
    rawExact: false,
    reasoning: null,
    content: text,
    toolCalls: [],
    toolCallId: null,
    train: role === "assistant",
    weight: 1,
    trainReason: "",
  };
}

export function trajectory(
  exampleName: string,
  sampleIndex: number,
  finalSql: string | null,
  parts: Partial<Trajectory> = {},
): Trajectory {
  return {
    id: idOf(`${exampleName}.${sampleIndex}.`),
    exampleId: idOf(exampleName),
    sampleIndex,
    round: 0,
    model: { name: "student", revision: "1" },
    scaffold: { id: "single-turn", version: 1, options: {} },
    source: "sampled",
    pastThoughts: "none",
    messages: [message("assistant", finalSql ?? "")],
    finalSql,
    stopReason: finalSql === null ? "no_answer" : "answered",
    usage: { promptTokens: null, completionTokens: null, costMicroUsd: null },
    seed: null,
    ...parts,
  };
}

export function goldRow(exampleName: string, parts: Partial<GoldRow> = {}): GoldRow {
  return {
    exampleId: idOf(exampleName),
    databaseId: "ferries",
    executions: [executed("ok")],
    reason: "ok",
    message: "",
    labels: { "spider-hardness": { status: "scored", label: "easy" } },
    ...parts,
  };
}

export function sample(
  exampleName: string,
  sampleIndex: number,
  verdict: Verdict | number,
  parts: Partial<ScoredSample> = {},
): ScoredSample {
  return {
    trajectoryId: idOf(`${exampleName}.${sampleIndex}.`),
    exampleId: idOf(exampleName),
    sampleIndex,
    round: 0,
    model: { name: "student", revision: "1" },
    setting: "single-turn",
    simulated: false,
    execution: executed("ok"),
    verdicts: { "bird-ex": typeof verdict === "number" ? scored(verdict) : verdict },
    ...parts,
  };
}

export function rate(exampleName: string, n: number, c: number, parts: Partial<PassRate> = {}): PassRate {
  return {
    exampleId: idOf(exampleName),
    model: { name: "student", revision: "1" },
    setting: "single-turn",
    metric: "bird-ex",
    n,
    c,
    unscored: {},
    stopRule: "complete",
    simulated: false,
    ...parts,
  };
}

export function kept(exampleName: string, position: number, parts: Partial<KeptExample> = {}): KeptExample {
  return {
    exampleId: idOf(exampleName),
    sourceId: exampleName,
    databaseId: "ferries",
    position,
    hardness: "easy",
    n: 4,
    c: 2,
    complete: true,
    simulated: false,
    ...parts,
  };
}

export function split(
  exampleName: string,
  position: number,
  parts: Partial<SplitExample> = {},
): SplitExample {
  return { ...kept(exampleName, position), split: "train", ...parts };
}

export function prompt(exampleName: string): PromptRow {
  return {
    exampleId: idOf(exampleName),
    schemaTextDigest: "digest of the schema text",
    messages: [message("user", `Prompt ${exampleName}`)],
  };
}
