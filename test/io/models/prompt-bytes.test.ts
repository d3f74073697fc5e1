import { describe, expect, it } from "vitest";
import { promptBytes } from "../../../io/models/prompt-bytes.ts";
import { modelRequest } from "../../fakes/model-server.ts";

describe("promptBytes", () => {
  it("counts UTF-8 bytes of messages, thoughts, calls and tools", () => {
    const call = { id: "c", name: "run", argumentsRaw: "{}", arguments: {} };
    const messages = [
      { role: "user" as const, content: "é", reasoning: null, toolCalls: [], toolCallId: null },
      { role: "assistant" as const, content: "", reasoning: "abc", toolCalls: [call], toolCallId: null },
    ];
    expect(promptBytes(modelRequest({ messages }))).toBe(32 + 2 + 32 + 3 + 32 + 3 + 2);
    const tools = [{ name: "a", description: "b", parameters: {} }];
    const withTools = modelRequest({ messages: messages.slice(0, 1), tools });
    expect(promptBytes(withTools)).toBe(34 + '[{"name":"a","description":"b","parameters":{}}]'.length);
    expect(promptBytes(withTools)).toBe(promptBytes({ ...withTools, seed: 1 }));
  });
});
