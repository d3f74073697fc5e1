import { describe, expect, it } from "vitest";
import { member, replyObject, servedModel, tokenCount, toolCall } from "../../../io/models/reply-reading.ts";
import { Secret } from "../../../io/models/secret.ts";

const server = { label: "the server", secret: new Secret(null) };

describe("replyObject", () => {
  it.each([["<html>login</html>"], [null], [["a"]], [7]])("refuses %j", (reply) => {
    expect(() => replyObject(reply, server)).toThrow(
      expect.objectContaining({ code: "MODEL_REPLY_INVALID" }),
    );
  });

  it("refuses objects with an error in them, and gives the rest back", () => {
    expect(() => replyObject({ error: { message: "m" } }, server)).toThrow(/status 200 and an error: m/);
    expect(() => replyObject({ object: "error", message: "m", code: 400 }, server)).toThrow(
      expect.objectContaining({ code: "MODEL_REQUEST_REFUSED" }),
    );
    const reply = { error: null, choices: [] };
    expect(replyObject(reply, server)).toBe(reply);
  });
});

describe("servedModel", () => {
  it.each([
    ["exact", "qwen", true],
    ["exact", "qwen-2", false],
    ["prefix", "qwen-2", true],
    ["prefix", "llama", false],
    ["any", "llama", true],
  ] as const)("by %s takes %s: %s", (match, model, accepted) => {
    const read = (): string => servedModel({ model }, { name: "qwen", match }, server);
    if (accepted) expect(read()).toBe(model);
    else expect(read).toThrow(expect.objectContaining({ code: "MODEL_CHANGED" }));
  });

  it("takes a reply without a name for the asked model", () => {
    expect(servedModel({}, { name: "qwen", match: "exact" }, server)).toBe("qwen");
  });
});

describe("toolCall", () => {
  it("keeps the raw arguments and parses objects only", () => {
    expect(toolCall("c1", "run", '{"b": 1,  "a": 2}', 0)).toEqual({
      id: "c1",
      name: "run",
      argumentsRaw: '{"b": 1,  "a": 2}',
      arguments: { b: 1, a: 2 },
    });
    expect(toolCall("", "run", '{"sql": "SEL', 2)).toMatchObject({ id: "call_2", arguments: null });
    expect(toolCall("c", "run", "[1]", 0).arguments).toBeNull();
    expect(toolCall("c", "run", { sql: "x" }, 0).argumentsRaw).toBe('{"sql":"x"}');
  });
});

describe("tokenCount and member", () => {
  it("take only what they can use", () => {
    expect([3, -1, 1.5, "3", null].map(tokenCount)).toEqual([3, null, null, null, null]);
    expect([member({ a: 1 }, "a"), member(null, "a"), member([1], "0")]).toEqual([1, undefined, undefined]);
  });
});
