import { describe, expect, it } from "vitest";
import type { Message } from "../../core/trajectory.ts";
import { chatMessages } from "../../synth/chat-messages.ts";
import { environmentMessage, givenMessage, sampledMessage } from "../../synth/episode-messages.ts";
import { modelReply } from "../fakes/model.ts";

const CALL = { id: "c1", name: "sql", argumentsRaw: '{"sql":"SELECT 1"}', arguments: { sql: "SELECT 1" } };
const MESSAGES: Message[] = [
  givenMessage("system", "task"),
  sampledMessage(modelReply("<think>why</think>\nwhat"), {
    reasoning: "why",
    content: "what",
    toolCalls: [CALL],
    restored: "",
  }),
  environmentMessage("1", "c1"),
];

describe("chatMessages", () => {
  const task = { role: "system", content: "task", reasoning: null, toolCalls: [], toolCallId: null };
  const answer = { role: "tool", content: "1", reasoning: null, toolCalls: [], toolCallId: "c1" };
  const reply = { role: "assistant", reasoning: null, toolCalls: [], toolCallId: null };

  it("shows earlier replies as sampled where thoughts are kept", () => {
    expect(chatMessages(MESSAGES, { pastThoughts: "kept", nativeTools: false })).toEqual([
      task,
      { ...reply, content: "<think>why</think>\nwhat" },
      answer,
    ]);
  });

  it("shows them without their thoughts where those are dropped", () => {
    expect(chatMessages(MESSAGES, { pastThoughts: "dropped", nativeTools: false })[1]).toEqual({
      ...reply,
      content: "what",
    });
  });

  it("uses the fields of a server's tool interface", () => {
    expect(chatMessages(MESSAGES, { pastThoughts: "kept", nativeTools: true })[1]).toEqual({
      ...reply,
      content: "what",
      reasoning: "why",
      toolCalls: [CALL],
    });
    expect(chatMessages(MESSAGES, { pastThoughts: "none", nativeTools: true })[1]).toEqual({
      ...reply,
      content: "what",
      toolCalls: [CALL],
    });
  });

  it("sends a server nothing that it would refuse, and no call twice", () => {
    const text = '<tool_call>{"name":"sql","arguments":{}}</tool_call>';
    const toolCalls = [
      { id: "a", name: "sql", argumentsRaw: '{"sql":"SELECT 1",}', arguments: { sql: "SELECT 1" } },
      { id: "b", name: "sql", argumentsRaw: '{"sql":"SEL', arguments: null },
      { id: "text_call_2", name: "sql", argumentsRaw: text, arguments: {} },
    ];
    const parts = { reasoning: null, content: text, toolCalls, restored: "" };
    const messages = [
      sampledMessage(modelReply(text), parts),
      environmentMessage("wrong", "b"),
      environmentMessage("1", "a"),
      environmentMessage("go on"),
    ];
    expect(chatMessages(messages, { pastThoughts: "kept", nativeTools: true })).toEqual([
      {
        ...reply,
        content: `${text}\n<tool_call>\n{"name": "sql", "arguments": {"sql":"SEL}\n</tool_call>`,
        toolCalls: [{ ...toolCalls[0], argumentsRaw: '{"sql":"SELECT 1"}' }],
      },
      { ...answer, toolCallId: "a" },
      { ...answer, role: "user", content: "<tool_response>\nwrong\n</tool_response>", toolCallId: null },
      { ...answer, role: "user", content: "go on", toolCallId: null },
    ]);
    expect(chatMessages(messages, { pastThoughts: "kept", nativeTools: false })[0]).toEqual({
      ...reply,
      content: text,
    });
  });
});
