import { describe, expect, it } from "vitest";
import { ModelReply, ModelRequest, Sampling } from "../../core/model.ts";

const SAMPLING = { temperature: 0, topP: 1, topK: -1, maxTokens: 256, stop: [], extra: { min_p: 0.1 } };
const REQUEST = {
  model: "served-name",
  messages: [{ role: "user", content: "Hi", reasoning: null, toolCalls: [], toolCallId: null }],
  tools: [],
  sampling: SAMPLING,
  seed: null,
};

describe("Sampling", () => {
  it("takes a greedy draw and what only some servers know", () => {
    expect(Sampling.parse(SAMPLING)).toEqual(SAMPLING);
  });

  it.each([
    ["a negative temperature", { temperature: -0.1 }],
    ["a topP of 0", { topP: 0 }],
    ["a topP above 1", { topP: 1.1 }],
    ["no tokens", { maxTokens: 0 }],
    ["half a topK", { topK: 1.5 }],
    ["a parameter left to the server", { topP: undefined }],
  ])("refuses %s", (_, change) => {
    expect(Sampling.safeParse({ ...SAMPLING, ...change }).success).toBe(false);
  });
});

describe("ModelRequest", () => {
  it("keeps the order of a tool's parameters", () => {
    const parameters = { type: "object", properties: { zeta: {}, alpha: {} } };
    const tools = [{ name: "run", description: "", parameters }];
    const parsed = ModelRequest.parse({ ...REQUEST, tools });
    expect(JSON.stringify(parsed.tools[0]?.parameters)).toBe(
      '{"type":"object","properties":{"zeta":{},"alpha":{}}}',
    );
  });

  it("refuses a request without messages or with an unknown parameter", () => {
    expect(ModelRequest.safeParse({ ...REQUEST, messages: [] }).success).toBe(false);
    expect(ModelRequest.safeParse({ ...REQUEST, temprature: 1 }).success).toBe(false);
  });
});

describe("ModelReply", () => {
  const reply = {
    content: "SELECT 1",
    reasoning: null,
    toolCalls: [],
    finishReason: "stop",
    usage: { promptTokens: 3, completionTokens: 4, costMicroUsd: null },
    rawExact: false,
    tokenIds: null,
    servedModel: "served-name",
  };

  it("refuses an end it does not know, so that a failure is never a completion", () => {
    expect(ModelReply.parse(reply)).toEqual(reply);
    expect(ModelReply.safeParse({ ...reply, finishReason: "error" }).success).toBe(false);
    expect(ModelReply.safeParse({ ...reply, content: null }).success).toBe(false);
  });
});
