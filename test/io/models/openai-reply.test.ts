import { describe, expect, it } from "vitest";
import { openAiTokens, readOpenAiReply } from "../../../io/models/openai-reply.ts";
import { Secret } from "../../../io/models/secret.ts";
import { completion, modelRequest } from "../../fakes/model-server.ts";

const server = { label: "the server", secret: new Secret(null) };
const read = (raw: unknown): ReturnType<typeof readOpenAiReply> =>
  readOpenAiReply(raw, modelRequest(), { name: "test-model", match: "exact" }, server);
const invalid = expect.objectContaining({ code: "MODEL_REPLY_INVALID" });

describe("readOpenAiReply", () => {
  it("reads a plain completion", () => {
    expect(read(completion("SELECT 1"))).toEqual({
      content: "SELECT 1",
      reasoning: null,
      toolCalls: [],
      finishReason: "stop",
      usage: { promptTokens: 11, completionTokens: 7, costMicroUsd: null },
      rawExact: false,
      tokenIds: null,
      servedModel: "test-model",
    });
  });

  it("says so where the server is the simulated one", () => {
    const said = (system_fingerprint: string): unknown => completion("x", {}, { system_fingerprint });
    expect(read(said("gradus-simulated"))).toMatchObject({ simulated: true });
    expect(read(said("fp_44709d6fcb"))).not.toHaveProperty("simulated");
  });

  it.each(["reasoning", "reasoning_content"])("reads a thought from %s", (field) => {
    const reply = read(completion("x", { message: { content: "x", [field]: "because" } }));
    expect(reply.reasoning).toBe("because");
  });

  it("is exact where token ids come back", () => {
    expect(read(completion("x", { token_ids: [5, 6] }))).toMatchObject({ rawExact: true, tokenIds: [5, 6] });
    expect(read(completion("x", { token_ids: null }))).toMatchObject({ rawExact: false, tokenIds: null });
  });

  it("reads tool calls, and trusts them over the finish reason", () => {
    const tool_calls = [{ id: "c1", type: "function", function: { name: "run", arguments: '{"sql": "x"}' } }];
    expect(
      read(completion(null, { message: { content: null, tool_calls }, finish_reason: "stop" })),
    ).toMatchObject({
      content: "",
      finishReason: "tool_calls",
      toolCalls: [{ id: "c1", name: "run", argumentsRaw: '{"sql": "x"}', arguments: { sql: "x" } }],
    });
    expect(read(completion("x", { finish_reason: "tool_calls" })).finishReason).toBe("stop");
  });

  it("calls a tool call that the token limit cut a length stop", () => {
    const tool_calls = [{ id: "c1", function: { name: "run", arguments: '{"sql": "SEL' } }];
    const choice = { message: { content: null, tool_calls }, finish_reason: "tool_calls" };
    const usage = { prompt_tokens: 1, completion_tokens: 100 };
    expect(read(completion(null, choice, { usage })).finishReason).toBe("length");
    expect(read(completion(null, choice)).finishReason).toBe("tool_calls");
  });

  it("keeps empty completions only when length or a filter ended them", () => {
    expect(read(completion(null, { finish_reason: "length" }))).toMatchObject({
      content: "",
      finishReason: "length",
    });
    expect(read(completion("", { finish_reason: "content_filter" })).finishReason).toBe("content_filter");
    expect(() => read(completion(""))).toThrow(invalid);
    expect(() => read(completion(null, { finish_reason: "tool_calls" }))).toThrow(invalid);
  });

  it.each([
    ["no choices", completion("x", {}, { choices: [] })],
    ["choices of another kind", completion("x", {}, { choices: "x" })],
    ["no message", completion("x", { message: null })],
    ["no finish reason", completion("x", { finish_reason: null })],
    ["an aborted generation", completion("x", { finish_reason: "abort" })],
  ])("refuses %s", (_what, raw) => {
    expect(() => read(raw)).toThrow(invalid);
  });

  it("refuses an error in place of a choice", () => {
    const raw = completion("", { error: { message: "upstream", code: 502 }, finish_reason: "error" });
    expect(() => read(raw)).toThrow(expect.objectContaining({ code: "MODEL_SERVER_FAILED" }));
  });
});

describe("openAiTokens", () => {
  it("reads counts where there are any", () => {
    expect(openAiTokens(completion("x"))).toEqual({ promptTokens: 11, completionTokens: 7 });
    expect(openAiTokens("text")).toEqual({ promptTokens: null, completionTokens: null });
  });
});
