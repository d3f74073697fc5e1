import { sha256 } from "./key.ts";
import type { Message, Trajectory } from "./trajectory.ts";

/** What a rollout did: a tool call with its arguments, or its answer. */
export interface TrajectoryAction {
  /** The tool, or `answer`. */
  readonly name: string;
  /** The text of its arguments, or the SQL of the answer, white space folded. */
  readonly text: string;
}

/** Arguments of tools that hold a query to run. */
const QUERY_ARGUMENTS = ["code", "sql", "query"] as const;

/** The actions of a rollout in order: every call that a sampled reply makes, then the final SQL where there is one. */
export function actionsOf({
  messages,
  finalSql,
}: Pick<Trajectory, "messages" | "finalSql">): TrajectoryAction[] {
  const actions: TrajectoryAction[] = [];
  for (const message of messages) {
    if (message.origin !== "sampled") continue;
    for (const { name, argumentsRaw, arguments: given } of message.toolCalls) {
      const text =
        given === null
          ? argumentsRaw
          : Object.keys(given)
              .sort()
              .map((key) => textOf(given[key]))
              .join(" ");
      actions.push({ name, text: foldSpace(text) });
    }
  }
  if (finalSql !== null) actions.push({ name: "answer", text: foldSpace(finalSql) });
  return actions;
}

/** A digest of the actions: two rollouts that did the same have the same, whatever they thought. */
export function actionsDigest(trajectory: Pick<Trajectory, "messages" | "finalSql">): string {
  return sha256(JSON.stringify(actionsOf(trajectory).map(({ name, text }) => [name, text]))).slice(0, 16);
}

/**
 * Interactions of a rollout: tool calls that were answered, an observation each. @paper MTSQL-R1; what counts as
 * one is not in the paper.
 */
export function interactionsOf({ messages }: Pick<Trajectory, "messages">): number {
  return messages.filter(({ origin }) => origin === "environment").length;
}

/** The length of what was sampled, in UTF-16 code units. */
export function sampledLength({ messages }: Pick<Trajectory, "messages">): number {
  return messages.reduce((sum, { origin, rawText }) => sum + (origin === "sampled" ? rawText.length : 0), 0);
}

/** The queries that a sampled reply has a tool run, white space folded; names the tool's argument `code`, `sql` or `query`. */
export function queriesOf({ toolCalls }: Pick<Message, "toolCalls">): string[] {
  return toolCalls.flatMap(({ arguments: given }) => {
    const sql = QUERY_ARGUMENTS.map((name) => given?.[name]).find((value) => typeof value === "string");
    return sql === undefined ? [] : [foldSpace(sql)];
  });
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value ?? null);
}

/** Runs of white space become one blank; a semicolon at the end goes. */
export function foldSpace(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replace(/[\s;]+$/, "")
    .trim();
}
