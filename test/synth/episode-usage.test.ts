import { describe, expect, it } from "vitest";
import { spentTokens, totalUsage } from "../../synth/episode-usage.ts";
import { modelReply } from "../fakes/model.ts";

const UNKNOWN = { promptTokens: null, completionTokens: null, costMicroUsd: null };

describe("totalUsage", () => {
  it("sums, and does not know what one reply does not say", () => {
    const replies = [modelReply("a"), modelReply("b")];
    expect(totalUsage(replies)).toEqual({ promptTokens: 200, completionTokens: 20, costMicroUsd: 14 });
    const partly = modelReply("c", { usage: { promptTokens: 1, completionTokens: 2, costMicroUsd: null } });
    expect(totalUsage([...replies, partly])).toEqual({
      promptTokens: 201,
      completionTokens: 22,
      costMicroUsd: null,
    });
    expect(totalUsage([])).toEqual({ promptTokens: 0, completionTokens: 0, costMicroUsd: 0 });
  });
});

describe("spentTokens", () => {
  it("takes the server's count, or else a token for four characters", () => {
    expect(spentTokens([modelReply("a"), modelReply("b")])).toBe(20);
    expect(spentTokens([modelReply("12345", { usage: UNKNOWN, reasoning: "1234" })])).toBe(3);
    const call = { id: "c", name: "sql", argumentsRaw: "12345", arguments: null };
    expect(spentTokens([modelReply("", { usage: UNKNOWN, toolCalls: [call] })])).toBe(2);
  });
});
