import type { FinishReason, ModelReply } from "../../core/model.ts";
import type { ServerIdentity } from "./attempt-failure.ts";
import {
  invalidReply,
  member,
  replyObject,
  servedModel,
  tokenCount,
  toolCall,
  type ServedModelRule,
} from "./reply-reading.ts";
import type { CountedTokens } from "./spending.ts";

const STOP_REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool_calls",
  refusal: "content_filter",
};

/** The tokens that a message counts, those of the prompt cache included. */
export function anthropicTokens(reply: unknown): CountedTokens {
  const usage = member(reply, "usage");
  const input = tokenCount(member(usage, "input_tokens"));
  const cached =
    (tokenCount(member(usage, "cache_read_input_tokens")) ?? 0) +
    (tokenCount(member(usage, "cache_creation_input_tokens")) ?? 0);
  return {
    promptTokens: input === null ? null : input + cached,
    completionTokens: tokenCount(member(usage, "output_tokens")),
  };
}

/**
 * Reads a message, its cost left `null`: text blocks joined, thinking blocks as reasoning, tool uses with their
 * input written as JSON (the API gives no raw string, so `rawExact` is false). Throws as `readOpenAiReply`.
 */
export function readAnthropicReply(raw: unknown, rule: ServedModelRule, server: ServerIdentity): ModelReply {
  const reply = replyObject(raw, server);
  const served = servedModel(reply, rule, server);
  const { content: blocks, stop_reason: given } = reply;
  if (!Array.isArray(blocks)) throw invalidReply("it has no content blocks", server);
  const finishReason = typeof given === "string" ? STOP_REASONS[given] : undefined;
  if (finishReason === undefined) {
    const got = server.secret.excerpt(JSON.stringify(given ?? null), 40);
    throw invalidReply(`its stop reason is ${got}: the generation did not end`, server);
  }
  const reasoning = textOf(blocks, "thinking", "thinking");
  const content = textOf(blocks, "text", "text");
  const toolCalls = blocks
    .filter((block: unknown) => member(block, "type") === "tool_use")
    .map((block: unknown, position) =>
      toolCall(member(block, "id"), String(member(block, "name")), member(block, "input"), position),
    );
  const isEmpty = content === "" && reasoning === "" && toolCalls.length === 0;
  if (isEmpty && (finishReason === "stop" || finishReason === "tool_calls")) {
    throw invalidReply("it has neither text nor a tool call", server);
  }
  return {
    content,
    reasoning: reasoning === "" ? null : reasoning,
    toolCalls,
    finishReason,
    usage: { ...anthropicTokens(reply), costMicroUsd: null },
    rawExact: false,
    tokenIds: null,
    servedModel: served,
  };
}

function textOf(blocks: readonly unknown[], type: string, field: string): string {
  return blocks
    .filter((block) => member(block, "type") === type)
    .map((block) => {
      const text = member(block, field);
      return typeof text === "string" ? text : "";
    })
    .join("");
}
