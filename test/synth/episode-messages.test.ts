import { describe, expect, it } from "vitest";
import { Message } from "../../core/trajectory.ts";
import {
  environmentMessage,
  givenMessage,
  injectedMessage,
  sampledMessage,
} from "../../synth/episode-messages.ts";
import { modelReply } from "../fakes/model.ts";

const NO_PARTS = { reasoning: null, content: "x", toolCalls: [], restored: "" };
const CALL = { id: "c", name: "sql", argumentsRaw: "{}", arguments: {} };

describe("messages of an episode", () => {
  it("are never learned unless they were sampled", () => {
    expect(givenMessage("system", "a")).toEqual({
      role: "system",
      origin: "given",
      rawText: "a",
      rawExact: false,
      reasoning: null,
      content: "a",
      toolCalls: [],
      toolCallId: null,
      train: false,
      weight: 0,
      trainReason: "prompt",
    });
    expect(injectedMessage("b", "reminder_no_tag")).toMatchObject({
      role: "user",
      origin: "injected",
      train: false,
      trainReason: "reminder_no_tag",
    });
    const sampled = sampledMessage(modelReply("x"), NO_PARTS);
    expect(sampled).toMatchObject({ role: "assistant", origin: "sampled", train: true, weight: 1 });
    expect(Message.parse(sampled)).toEqual(sampled);
  });

  it("come from a user, or from the tool whose call they answer", () => {
    expect(environmentMessage("a")).toMatchObject({ role: "user", origin: "environment", toolCallId: null });
    expect(environmentMessage("a", "c1")).toMatchObject({ role: "tool", toolCallId: "c1", train: false });
  });
});

describe("sampledMessage", () => {
  it("keeps the text as it came, exact where the reply is", () => {
    const text = " <think>a</think>\r\nb ";
    expect(sampledMessage(modelReply(text), NO_PARTS)).toMatchObject({ rawText: text, rawExact: true });
    expect(sampledMessage(modelReply(text, { rawExact: false }), NO_PARTS).rawExact).toBe(false);
  });

  it("is not exact where a part was put together", () => {
    expect(sampledMessage(modelReply("b", { reasoning: "a" }), NO_PARTS)).toMatchObject({
      rawText: "<think>\na\n</think>\n\nb",
      rawExact: false,
    });
    expect(sampledMessage(modelReply("<sql>b"), { ...NO_PARTS, restored: "</sql>" })).toMatchObject({
      rawText: "<sql>b</sql>",
      rawExact: false,
    });
    expect(sampledMessage(modelReply("", { toolCalls: [CALL] }), NO_PARTS).rawExact).toBe(false);
  });
});
