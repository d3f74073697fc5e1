import { describe, expect, it } from "vitest";
import { anthropicTokens, readAnthropicReply } from "../../../io/models/anthropic-reply.ts";
import { Secret } from "../../../io/models/secret.ts";

const server = { label: "the server", secret: new Secret(null) };
const message = (content: unknown, stop_reason: unknown = "end_turn"): object => ({
  type: "message",
  model: "test-model-20260101",
  content,
  stop_reason,
  usage: { input_tokens: 10, cache_read_input_tokens: 4, cache_creation_input_tokens: 1, output_tokens: 6 },
});
const read = (raw: unknown): ReturnType<typeof readAnthropicReply> =>
  readAnthropicReply(raw, { name: "test-model", match: "prefix" }, server);

describe("readAnthropicReply", () => {
  it("reads text, thoughts and tool uses", () => {
    const blocks = [
      { type: "thinking", thinking: "first think", signature: "s" },
      { type: "redacted_thinking", data: "d" },
      { type: "text", text: "I run " },
      { type: "text", text: "it." },
      { type: "tool_use", id: "t1", name: "run", input: { sql: "SELECT 1" } },
    ];
    expect(read(message(blocks, "tool_use"))).toEqual({
      content: "I run it.",
      reasoning: "first think",
      toolCalls: [
        { id: "t1", name: "run", argumentsRaw: '{"sql":"SELECT 1"}', arguments: { sql: "SELECT 1" } },
      ],
      finishReason: "tool_calls",
      usage: { promptTokens: 15, completionTokens: 6, costMicroUsd: null },
      rawExact: false,
      tokenIds: null,
      servedModel: "test-model-20260101",
    });
  });

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "content_filter"],
  ])("reads the stop reason %s as %s", (given, expected) => {
    expect(read(message([{ type: "text", text: "x" }], given)).finishReason).toBe(expected);
  });

  it.each([
    ["no blocks", message(null)],
    ["empty blocks", message([])],
    ["no stop reason", message([{ type: "text", text: "x" }], null)],
    ["a pause", message([{ type: "text", text: "x" }], "pause_turn")],
  ])("refuses %s", (_what, raw) => {
    expect(() => read(raw)).toThrow(expect.objectContaining({ code: "MODEL_REPLY_INVALID" }));
  });

  it("refuses an error in place of a message", () => {
    const raw = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(() => read(raw)).toThrow(expect.objectContaining({ code: "MODEL_REPLY_ERROR" }));
  });
});

describe("anthropicTokens", () => {
  it("does not guess", () => {
    expect(anthropicTokens({})).toEqual({ promptTokens: null, completionTokens: null });
  });
});
