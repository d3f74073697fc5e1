import { describe, expect, it } from "vitest";
import { keyOf } from "../../../core/key.ts";
import type { ModelRequest } from "../../../core/model.ts";
import { openAiBody } from "../../../io/models/openai-request.ts";
import { ChatBody, completionBody, keepsStop, modelRequestOf } from "../../../pipelines/serve/chat-body.ts";
import { modelRequest } from "../../fakes/model-server.ts";

const CALL = {
  id: "call_1",
  name: "sql",
  argumentsRaw: '{"sql":"SELECT 1"}',
  arguments: { sql: "SELECT 1" },
};
const TALK: ModelRequest = modelRequest({
  messages: [
    { role: "system", content: "Answer.", reasoning: null, toolCalls: [], toolCallId: null },
    { role: "user", content: "How many?", reasoning: null, toolCalls: [], toolCallId: null },
    { role: "assistant", content: "", reasoning: "Count.", toolCalls: [CALL], toolCallId: null },
    { role: "tool", content: "3", reasoning: null, toolCalls: [], toolCallId: "call_1" },
  ],
  tools: [{ name: "sql", description: "Runs SQL.", parameters: { type: "object", properties: {} } }],
  sampling: { temperature: 1, topP: 0.95, topK: 20, maxTokens: 50, stop: ["</sql>"], extra: { min_p: 0.1 } },
});

describe("modelRequestOf", () => {
  it.each(["openai", "vllm", "sglang"] as const)("gives back the request of a body for %s", (server) => {
    const dialect = {
      server,
      maxTokensField: server === "openai" ? ("max_completion_tokens" as const) : ("max_tokens" as const),
      reasoningField: server === "vllm" ? ("reasoning" as const) : ("reasoning_content" as const),
      wantsTokenIds: true,
      stream: false,
    };
    for (const request of [TALK, modelRequest(), modelRequest({ seed: null })]) {
      const body: unknown = JSON.parse(JSON.stringify(openAiBody(request, dialect)));
      expect(modelRequestOf(ChatBody.parse(body))).toEqual(request);
      expect(keyOf(modelRequestOf(ChatBody.parse(body)))).toBe(keyOf(request));
    }
  });

  it("has defaults, and takes a stop as text, parts of texts and the developer's role", () => {
    const body = ChatBody.parse({
      model: "m",
      messages: [
        { role: "developer", content: "Answer." },
        {
          role: "user",
          content: [
            { type: "text", text: "How " },
            { type: "text", text: "many?" },
          ],
        },
        { role: "assistant", content: null },
      ],
      stop: "END",
    });
    const { messages, sampling, seed } = modelRequestOf(body);
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ["system", "Answer."],
      ["user", "How many?"],
      ["assistant", ""],
    ]);
    expect(sampling).toEqual({
      temperature: 1,
      topP: 1,
      topK: -1,
      maxTokens: 4096,
      stop: ["END"],
      extra: {},
    });
    expect(seed).toBeNull();
  });
});

describe("ChatBody", () => {
  const messages = [{ role: "user", content: "?" }];

  it.each([
    { messages },
    { model: "m", messages: [] },
    { model: "m", messages, n: 2 },
    { model: "m", messages, stream: true },
    { model: "m", messages, temperature: -1 },
    { model: "m", messages: [{ role: "nobody", content: "?" }] },
  ])("refuses %j", (body) => {
    expect(ChatBody.safeParse(body).success).toBe(false);
  });

  it("says whether the stop string is kept", () => {
    expect(keepsStop(ChatBody.parse({ model: "m", messages }))).toBe(false);
    expect(keepsStop(ChatBody.parse({ model: "m", messages, include_stop_str_in_output: true }))).toBe(true);
    expect(keepsStop(ChatBody.parse({ model: "m", messages, no_stop_trim: true }))).toBe(true);
  });
});

describe("completionBody", () => {
  const reply = {
    content: "3",
    reasoning: null,
    toolCalls: [],
    finishReason: "stop",
    usage: { promptTokens: 5, completionTokens: 1 },
    tokenIds: null,
    servedModel: "m",
  };

  it("is OpenAI's form", () => {
    expect(completionBody("chatcmpl-1", reply, "test")).toEqual({
      id: "chatcmpl-1",
      object: "chat.completion",
      created: 0,
      model: "m",
      system_fingerprint: "test",
      choices: [{ index: 0, message: { role: "assistant", content: "3" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
    });
  });

  it("has thought, calls and token ids where there are any, and no usage that is not known", () => {
    const body = completionBody(
      "chatcmpl-1",
      {
        ...reply,
        reasoning: "Count.",
        toolCalls: [CALL],
        tokenIds: [4, 5],
        usage: { promptTokens: null, completionTokens: 1 },
      },
      "test",
    );
    expect(body["choices"]).toEqual([
      {
        index: 0,
        message: {
          role: "assistant",
          content: "3",
          reasoning: "Count.",
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "sql", arguments: '{"sql":"SELECT 1"}' } },
          ],
        },
        finish_reason: "stop",
        token_ids: [4, 5],
      },
    ]);
    expect(body).not.toHaveProperty("usage");
  });
});
