import { GradusError } from "../../core/errors.ts";
import type { ToolCall } from "../../core/trajectory.ts";
import { complaintOf, errorBodyFailure, type ServerIdentity } from "./attempt-failure.ts";

/** What a reply's model name must be. */
export interface ServedModelRule {
  readonly name: string;
  readonly match: "exact" | "prefix" | "any";
}

/** A JSON object that nobody has checked yet. */
export type LooseObject = Readonly<Record<string, unknown>>;

/** The member `name` of anything; `undefined` where there is none. */
export function member(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

export function isObject(value: unknown): value is LooseObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A count of tokens; `null` for anything that is none. */
export function tokenCount(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

/** The error of a reply that is no completion: retried, never kept. */
export function invalidReply(problem: string, server: ServerIdentity): GradusError {
  return new GradusError("MODEL_REPLY_INVALID", `${server.label} gave no completion: ${problem}`);
}

/** Checks that a reply is a JSON object without an error in it. Throws MODEL_REPLY_INVALID, MODEL_REPLY_ERROR. */
export function replyObject(reply: unknown, server: ServerIdentity): LooseObject {
  if (!isObject(reply)) {
    const got =
      typeof reply === "string" ? `"${server.secret.excerpt(reply)}"` : JSON.stringify(reply ?? null);
    throw invalidReply(`got ${server.secret.excerpt(got)}, expected a JSON object`, server);
  }
  const failed = (reply.error !== undefined && reply.error !== null) || reply.object === "error";
  if (failed) throw errorBodyFailure(complaintOf(reply, "no message"), server);
  return reply;
}

/** The name of the model that served a reply; the asked one where the reply has none. Throws MODEL_CHANGED. */
export function servedModel(reply: LooseObject, rule: ServedModelRule, server: ServerIdentity): string {
  const served = typeof reply.model === "string" && reply.model !== "" ? reply.model : rule.name;
  const same =
    rule.match === "any" || (rule.match === "exact" ? served === rule.name : served.startsWith(rule.name));
  if (same) return served;
  throw new GradusError(
    "MODEL_CHANGED",
    `${server.label} served the model ${server.secret.excerpt(served)}, expected ${rule.name}`,
    { hint: "start the server with the model of this run, or set servedModel to the name that it reports" },
  );
}

/** A tool call with its arguments as they came; they parse to `null` when they are not a JSON object. */
export function toolCall(id: unknown, name: string, sampledArguments: unknown, position: number): ToolCall {
  const argumentsRaw =
    typeof sampledArguments === "string" ? sampledArguments : JSON.stringify(sampledArguments ?? {});
  return {
    id: typeof id === "string" && id !== "" ? id : `call_${position}`,
    name,
    argumentsRaw,
    arguments: parseObject(argumentsRaw),
  };
}

function parseObject(text: string): ToolCall["arguments"] {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? (parsed as ToolCall["arguments"]) : null;
  } catch {
    return null;
  }
}
