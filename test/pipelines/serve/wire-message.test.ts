import { expect, it } from "vitest";
import { wireMessage, wireTool } from "../../../pipelines/serve/wire-message.ts";

it("writes messages as chat APIs do", () => {
  const bare = { content: "hm", reasoning: null, toolCalls: [], toolCallId: null };
  expect(wireMessage({ role: "user", ...bare })).toEqual({ role: "user", content: "hm" });
  const call = { id: "c", name: "f", argumentsRaw: "{}", arguments: {} };
  expect(wireMessage({ ...bare, role: "assistant", reasoning: "so", toolCalls: [call] })).toEqual({
    role: "assistant",
    content: "hm",
    reasoning: "so",
    tool_calls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
  });
  expect(wireMessage({ ...bare, role: "tool", toolCallId: "c" })).toMatchObject({ tool_call_id: "c" });
});

it("writes tools with the keys in the order that templates print", () => {
  const tool = wireTool({ parameters: { type: "object" }, name: "f", description: "does" });
  expect(JSON.stringify(tool)).toBe(
    '{"type":"function","function":{"name":"f","description":"does","parameters":{"type":"object"}}}',
  );
});
