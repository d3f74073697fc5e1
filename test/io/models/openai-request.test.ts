import { describe, expect, it } from "vitest";
import { openAiBody, type OpenAiDialect } from "../../../io/models/openai-request.ts";
import { modelRequest } from "../../fakes/model-server.ts";

const openai: OpenAiDialect = {
  server: "openai",
  maxTokensField: "max_tokens",
  reasoningField: "reasoning_content",
  wantsTokenIds: true,
  stream: false,
};
const request = modelRequest({
  messages: [
    { role: "system", content: "be brief", reasoning: null, toolCalls: [], toolCallId: null },
    {
      role: "assistant",
      content: "",
      reasoning: "hm",
      toolCalls: [{ id: "c1", name: "run", argumentsRaw: '{"sql":  "SELECT', arguments: null }],
      toolCallId: null,
    },
    { role: "tool", content: "error", reasoning: null, toolCalls: [], toolCallId: "c1" },
  ],
  tools: [{ name: "run", description: "Runs SQL.", parameters: { type: "object", required: ["z", "a"] } }],
  sampling: { temperature: 0, topP: 1, topK: -1, maxTokens: 5, stop: ["</sql>"], extra: {} },
  seed: null,
});

describe("openAiBody", () => {
  it("sends every parameter, raw arguments and tools in a fixed order", () => {
    expect(JSON.stringify(openAiBody(request, openai))).toBe(
      '{"model":"test-model","messages":[{"role":"system","content":"be brief"},' +
        '{"role":"assistant","content":"","reasoning_content":"hm","tool_calls":[{"id":"c1","type":"function",' +
        '"function":{"name":"run","arguments":"{\\"sql\\":  \\"SELECT"}}]},' +
        '{"role":"tool","tool_call_id":"c1","content":"error"}],' +
        '"tools":[{"type":"function","function":{"name":"run","description":"Runs SQL.",' +
        '"parameters":{"type":"object","required":["z","a"]}}}],' +
        '"temperature":0,"top_p":1,"max_tokens":5,"stop":["</sql>"],"stream":false}',
    );
  });

  it("sends what vLLM and SGLang know", () => {
    const vllm = openAiBody(request, { ...openai, server: "vllm", reasoningField: "reasoning" });
    expect(vllm).toMatchObject({ top_k: -1, include_stop_str_in_output: true, return_token_ids: true });
    expect((vllm.messages as unknown[])[1]).toMatchObject({ reasoning: "hm" });
    expect(vllm).not.toHaveProperty("no_stop_trim");
    const sglang = openAiBody(request, { ...openai, server: "sglang", wantsTokenIds: false });
    expect(sglang).toMatchObject({ top_k: -1, no_stop_trim: true });
    expect(sglang).not.toHaveProperty("return_token_ids");
  });

  it("sends options where they are set", () => {
    const sampling = {
      ...request.sampling,
      topK: 20,
      stop: [],
      extra: { min_p: 0.1, chat_template_kwargs: { enable_thinking: false } },
    };
    const body = openAiBody(
      { ...request, sampling, seed: 7 },
      { ...openai, maxTokensField: "max_completion_tokens", stream: true },
    );
    expect(body).toMatchObject({
      top_k: 20,
      seed: 7,
      max_completion_tokens: 5,
      min_p: 0.1,
      chat_template_kwargs: { enable_thinking: false },
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(body).not.toHaveProperty("max_tokens");
    expect(body).not.toHaveProperty("stop");
  });

  it("refuses extras that have their own field", () => {
    const sampling = { ...request.sampling, extra: { temperature: 1 } };
    expect(() => openAiBody({ ...request, sampling }, openai)).toThrow(
      expect.objectContaining({ code: "MODEL_OPTIONS_INVALID" }),
    );
  });
});
