import type { FinishReason, ModelReply, ModelRequest } from "../../core/model.ts";
import type { ToolCall } from "../../core/trajectory.ts";
import type { ServerIdentity } from "./attempt-failure.ts";
import {
  invalidReply,
  isObject,
  member,
  replyObject,
  servedModel,
  tokenCount,
  toolCall,
  type LooseObject,
  type ServedModelRule,
} from "./reply-reading.ts";
import type { CountedTokens } from "./spending.ts";

const FINISH_REASONS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  eos: "stop",
  end_turn: "stop",
  stop_sequence: "stop",
  length: "length",
  max_tokens: "length",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  content_filter: "content_filter",
};

/** The `system_fingerprint` of completions that the simulated model of gradus made. */
export const SIMULATED_FINGERPRINT = "gradus-simulated";

/** The tokens that a chat completion counts. */
export function openAiTokens(reply: unknown): CountedTokens {
  const usage = member(reply, "usage");
  return {
    promptTokens: tokenCount(member(usage, "prompt_tokens")),
    completionTokens: tokenCount(member(usage, "completion_tokens")),
  };
}

/**
 * Reads a chat completion leniently, its cost left `null`. A completion has a finish reason, and text, a thought
 * or a tool call unless it was cut by length or filtered. Throws MODEL_REPLY_INVALID, MODEL_REPLY_ERROR and the
 * errors of a status inside the reply, MODEL_CHANGED.
 */
export function readOpenAiReply(
  raw: unknown,
  request: ModelRequest,
  rule: ServedModelRule,
  server: ServerIdentity,
): ModelReply {
  const reply = replyObject(raw, server);
  const served = servedModel(reply, rule, server);
  const choice: unknown = Array.isArray(reply.choices) ? reply.choices[0] : undefined;
  if (!isObject(choice)) throw invalidReply("it has no choices", server);
  if (choice.error !== undefined && choice.error !== null) replyObject({ error: choice.error }, server);
  if (!isObject(choice.message)) throw invalidReply("its choice has no message", server);
  const tokens = openAiTokens(reply);
  const content = contentOf(choice.message);
  const reasoning = reasoningOf(choice.message);
  const toolCalls = toolCallsOf(choice.message);
  const finishReason = finishReasonOf(choice, toolCalls, server);
  const isEmpty = content === "" && reasoning === null && toolCalls.length === 0;
  if (isEmpty && (finishReason === "stop" || finishReason === "tool_calls")) {
    throw invalidReply("it has neither text nor a tool call", server);
  }
  const tokenIds = tokenIdsOf(choice);
  return {
    content,
    reasoning,
    toolCalls,
    finishReason: isCutCall(toolCalls, tokens, request) ? "length" : finishReason,
    usage: { ...tokens, costMicroUsd: null },
    rawExact: tokenIds !== null,
    tokenIds,
    servedModel: served,
    ...(reply["system_fingerprint"] === SIMULATED_FINGERPRINT ? { simulated: true } : {}),
  };
}

/** Some servers send text as a list of parts. */
function contentOf(message: LooseObject): string {
  if (typeof message.content === "string") return message.content;
  if (typeof message.refusal === "string") return message.refusal;
  if (!Array.isArray(message.content)) return "";
  return message.content.map((part) => textOf(member(part, "text"))).join("");
}

function reasoningOf(message: LooseObject): string | null {
  const text = textOf(message.reasoning) || textOf(message.reasoning_content);
  return text === "" ? null : text;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function toolCallsOf(message: LooseObject): ToolCall[] {
  if (!Array.isArray(message.tool_calls)) return [];
  return message.tool_calls.flatMap((call: unknown, position) => {
    const sampled = member(call, "function");
    const name = member(sampled, "name");
    if (typeof name !== "string") return [];
    return [toolCall(member(call, "id"), name, member(sampled, "arguments"), position)];
  });
}

function finishReasonOf(
  choice: LooseObject,
  toolCalls: readonly ToolCall[],
  server: ServerIdentity,
): FinishReason {
  const given = choice.finish_reason;
  const reason = typeof given === "string" ? FINISH_REASONS[given] : undefined;
  if (reason === undefined) {
    const got = server.secret.excerpt(JSON.stringify(given ?? null), 40);
    throw invalidReply(`its finish reason is ${got}: the generation did not end`, server);
  }
  if (reason === "stop" && toolCalls.length > 0) return "tool_calls";
  if (reason === "tool_calls" && toolCalls.length === 0) return "stop";
  return reason;
}

/** Servers say `tool_calls` of a call that the token limit cut in the middle of its arguments. */
function isCutCall(toolCalls: readonly ToolCall[], tokens: CountedTokens, request: ModelRequest): boolean {
  const last = toolCalls.at(-1);
  return (
    last !== undefined &&
    last.arguments === null &&
    tokens.completionTokens !== null &&
    tokens.completionTokens >= request.sampling.maxTokens
  );
}

function tokenIdsOf(choice: LooseObject): number[] | null {
  const ids = choice.token_ids;
  if (!Array.isArray(ids) || ids.length === 0) return null;
  return ids.every((id) => Number.isSafeInteger(id)) ? (ids as number[]) : null;
}
