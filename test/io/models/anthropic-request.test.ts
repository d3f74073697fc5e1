import { describe, expect, it } from "vitest";
import { anthropicBody } from "../../../io/models/anthropic-request.ts";
import { modelRequest } from "../../fakes/model-server.ts";

const plain = { reasoning: null, toolCalls: [], toolCallId: null };

describe("anthropicBody", () => {
  it("splits off the system prompt and puts tool results into one turn", () => {
    const calls = ["c1", "c2"].map((id) => ({
      id,
      name: "run",
      argumentsRaw: '{"q":1}',
      arguments: { q: 1 },
    }));
    const body = anthropicBody(
      modelRequest({
        messages: [
          { ...plain, role: "system", content: "be brief" },
          { ...plain, role: "user", content: "hi" },
          { ...plain, role: "assistant", content: "", reasoning: "a thought", toolCalls: calls },
          { ...plain, role: "tool", content: "one", toolCallId: "c1" },
          { ...plain, role: "tool", content: "two", toolCallId: "c2" },
          { ...plain, role: "user", content: "go on" },
        ],
        tools: [{ name: "run", description: "Runs.", parameters: { type: "object" } }],
        sampling: {
          temperature: 1,
          topP: 0.9,
          topK: 5,
          maxTokens: 9,
          stop: ["END"],
          extra: { thinking: { type: "adaptive" } },
        },
      }),
      "2023-06-01",
    );
    expect(body).toEqual({
      model: "test-model",
      system: "be brief",
      messages: [
        { role: "user", content: [{ type: "text", text: "hi" }] },
        {
          role: "assistant",
          content: [
            { type: "tool_use", id: "c1", name: "run", input: { q: 1 } },
            { type: "tool_use", id: "c2", name: "run", input: { q: 1 } },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c1", content: "one" },
            { type: "tool_result", tool_use_id: "c2", content: "two" },
            { type: "text", text: "go on" },
          ],
        },
      ],
      tools: [{ name: "run", description: "Runs.", input_schema: { type: "object" } }],
      temperature: 1,
      max_tokens: 9,
      top_p: 0.9,
      top_k: 5,
      stop_sequences: ["END"],
      stream: false,
      thinking: { type: "adaptive" },
    });
  });

  it("leaves out what is off and what the API does not take", () => {
    const sampling = { temperature: 0, topP: 1, topK: -1, maxTokens: 9, stop: [], extra: {} };
    expect(Object.keys(anthropicBody(modelRequest({ sampling }), "2023-06-01"))).toEqual([
      "model",
      "messages",
      "max_tokens",
      "temperature",
      "stream",
    ]);
  });

  it("sends no sampling parameters in the newer version, and refuses those it would not sample by", () => {
    const sampling = { temperature: 1, topP: 1, topK: -1, maxTokens: 9, stop: [], extra: {} };
    const body = anthropicBody(modelRequest({ sampling }), "2026-10-21");
    expect(Object.keys(body)).toEqual(["model", "messages", "max_tokens", "stream"]);
    for (const change of [{ temperature: 0.7 }, { topP: 0.9 }, { topK: 20 }]) {
      const request = modelRequest({ sampling: { ...sampling, ...change } });
      expect(() => anthropicBody(request, "2026-10-21")).toThrow(
        expect.objectContaining({ code: "MODEL_OPTIONS_INVALID" }),
      );
    }
  });

  it("refuses extras that have their own field", () => {
    const sampling = { ...modelRequest().sampling, extra: { system: "other" } };
    expect(() => anthropicBody(modelRequest({ sampling }), "2023-06-01")).toThrow(/system/);
  });
});
