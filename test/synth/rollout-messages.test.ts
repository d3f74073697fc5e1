import { describe, expect, it } from "vitest";
import { Message } from "../../core/trajectory.ts";
import { readMessages } from "../../synth/rollout-messages.ts";

function read(...messages: readonly unknown[]): Message[] {
  return readMessages(messages, (problem) => new Error(problem)).map((message) => Message.parse(message));
}

describe("readMessages", () => {
  it("reads the messages of chat APIs", () => {
    const messages = read(
      { role: "developer", content: "Rules." },
      {
        role: "user",
        content: [
          { type: "text", text: "How " },
          { type: "text", text: "many?" },
        ],
      },
      {
        role: "assistant",
        content: null,
        reasoning_content: "Look first.",
        tool_calls: [
          { id: "c1", type: "function", function: { name: "run_sql", arguments: '{"sql": "SELECT 1"}' } },
          { function: { name: "broken", arguments: "{" } },
        ],
      },
      { role: "tool", tool_call_id: "c1", content: "1" },
      { role: "assistant", content: "<think>One.</think>\n\n```sql\nSELECT 1\n```" },
    );
    expect(
      messages.map(({ role, origin, train, weight, trainReason }) => [
        role,
        origin,
        train,
        weight,
        trainReason,
      ]),
    ).toEqual([
      ["system", "given", false, 0, "prompt"],
      ["user", "given", false, 0, "prompt"],
      ["assistant", "sampled", true, 1, "turn"],
      ["tool", "environment", false, 0, "environment"],
      ["assistant", "sampled", true, 1, "answer"],
    ]);
    expect(messages[1]?.content).toBe("How many?");
    expect(messages[2]).toMatchObject({
      reasoning: "Look first.",
      content: "",
      toolCalls: [
        { id: "c1", name: "run_sql", argumentsRaw: '{"sql": "SELECT 1"}', arguments: { sql: "SELECT 1" } },
        { id: "call_1", name: "broken", argumentsRaw: "{", arguments: null },
      ],
    });
    expect(messages[3]?.toolCallId).toBe("c1");
    expect(messages[4]).toMatchObject({
      reasoning: "One.",
      content: "```sql\nSELECT 1\n```",
      rawText: "<think>One.</think>\n\n```sql\nSELECT 1\n```",
    });
  });

  it("keeps what messages of gradus say", () => {
    const message: Message = {
      role: "assistant",
      origin: "injected",
      rawText: "<t>a</t>",
      rawExact: true,
      reasoning: "a",
      content: "b",
      toolCalls: [{ id: "1", name: "x", argumentsRaw: "{}", arguments: {} }],
      toolCallId: null,
      train: false,
      weight: 0.5,
      trainReason: "guardrail",
    };
    expect(read(message)).toEqual([message]);
  });

  it("takes a user after a reply for the environment", () => {
    const origins = read({ role: "assistant", content: "a" }, { role: "user", content: "b" }).map(
      ({ origin }) => origin,
    );
    expect(origins).toEqual(["sampled", "environment"]);
  });

  it.each([
    [["x"], "has messages[0] that is no object"],
    [[], "has no messages, expected a list of at least one"],
    [[{ role: "user" }], "has no assistant message, expected at least one"],
    [[{ content: "" }, { role: "assistant" }], "has messages[0].role nothing"],
  ])("refuses %j", (messages, problem) => {
    expect(() => read(...messages)).toThrow(problem);
  });
});
