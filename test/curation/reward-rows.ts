import type { Execution } from "../../core/execution.ts";
import type { JudgedStatement, RewardInput, RewardResult } from "../../core/reward.ts";
import type { LinkedTable, Message, ToolCall, Trajectory } from "../../core/trajectory.ts";
import { scored } from "../../core/verdict.ts";
import { executed } from "../fakes/judge.ts";
import { example, idOf } from "./sample-rows.ts";

function message(parts: Partial<Message> & Pick<Message, "role" | "origin">): Message {
  return {
    rawText: "",
    rawExact: false,
    reasoning: null,
    content: parts.rawText ?? "",
    toolCalls: [],
    toolCallId: null,
    train: parts.origin === "sampled",
    weight: parts.origin === "sampled" ? 1 : 0,
    trainReason: parts.origin,
    ...parts,
  };
}

/** A reply of the model that has a thought. */
export function reply(rawText: string, parts: Partial<Message> = {}): Message {
  return message({ role: "assistant", origin: "sampled", rawText, reasoning: "so", ...parts });
}

/** What a tool says. */
export function observed(rawText: string): Message {
  return message({ role: "user", origin: "environment", rawText });
}

/** What a guardrail says. */
export function told(rawText: string): Message {
  return message({ role: "user", origin: "injected", rawText });
}

/** A call of a tool. */
export function call(name: string, given: ToolCall["arguments"]): ToolCall {
  return { id: "call_0", name, argumentsRaw: JSON.stringify(given), arguments: given };
}

/** An episode that ended with an answer, but for what is given. */
export function trajectory(messages: readonly Message[], parts: Partial<Trajectory> = {}): Trajectory {
  return {
    id: idOf("t"),
    exampleId: idOf("a"),
    sampleIndex: 0,
    round: 0,
    model: { name: "student", revision: "1" },
    scaffold: { id: "some-scaffold", version: 1, options: {} },
    source: "sampled",
    pastThoughts: "kept",
    messages: [message({ role: "user", origin: "given", rawText: "How many?" }), ...messages],
    finalSql: "SELECT 1",
    stopReason: "answered",
    usage: { promptTokens: null, completionTokens: null, costMicroUsd: null },
    seed: null,
    ...parts,
  };
}

/** Gold that reads `singer.name` and `singer.age`. */
export const GOLD_LINKS: readonly LinkedTable[] = [{ table: "singer", columns: ["name", "age"] }];

/** A reward's input with verdicts by metric id. */
export function rewardInput(
  episode: Trajectory,
  verdicts: Readonly<Record<string, number>>,
  parts: Partial<RewardInput> = {},
): RewardInput {
  return {
    example: example("a"),
    trajectory: episode,
    goldLinks: GOLD_LINKS,
    labels: {},
    verdicts: Object.fromEntries(Object.entries(verdicts).map(([id, score]) => [id, scored(score)])),
    statements: new Map(),
    tokens: 100,
    ...parts,
  };
}

/** A statement that ended in a status, with its clause F1. */
export function judged(status: Execution["status"], clauseF1: number): JudgedStatement {
  return { execution: executed(status), verdicts: { "clause-f1": scored(clauseF1) } };
}

/** The total of a result; throws what is missing where there is none. */
export function totalOf(result: RewardResult): number {
  if (result.status === "scored") return result.total;
  throw new Error(`${result.reason}: ${result.message}`);
}
