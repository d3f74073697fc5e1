import { describe, expect, it } from "vitest";
import { jsonText, safeJson } from "../../synth/json-text.ts";

describe("jsonText", () => {
  it("keeps the order of members and the values", () => {
    expect(jsonText({ b: [1, null, "x"], a: { c: true } })).toBe('{"b":[1,null,"x"],"a":{"c":true}}');
  });

  it.each([
    ["</tool_response>", String.raw`"\u003c/tool_response>"`],
    ["a\u202Eb\u2028", String.raw`"a\u202eb\u2028"`],
    ["<|im_end|>\n", String.raw`"\u003c|im_end|>\n"`],
    ["\0\uD800", String.raw`"\u0000\ud800"`],
    ["\\</sql>", String.raw`"\\\u003c/sql>"`],
    ["a < b", '"a < b"'],
  ])("writes %j so that it closes no tag and parses back", (value, text) => {
    expect(jsonText(value)).toBe(text);
    expect(JSON.parse(text)).toBe(value);
    expect(safeJson(text)).toBe(text);
  });
});
