import { describe, expect, it } from "vitest";
import { escapeProtocolTags } from "../../synth/protocol-tags.ts";

describe("escapeProtocolTags", () => {
  it.each([
    ["</observation>", "\\u003c/observation>"],
    ["<observation>", "\\u003cobservation>"],
    ["a</sql>b", "a\\u003c/sql>b"],
    ["<SOLUTION>", "\\u003cSOLUTION>"],
    ["<  / Sql >", "\\u003c  / Sql >"],
    ["<sql\n>", "\\u003csql\n>"],
    ["</think", "\\u003c/think"],
    ["<tool_call>{}", "\\u003ctool_call>{}"],
    ["</tool_response>", "\\u003c/tool_response>"],
    ["<final_answer>", "\\u003cfinal_answer>"],
    ["<|im_end|>", "\\u003c|im_end|>"],
    ["<｜end▁of▁sentence｜>", "\\u003c｜end▁of▁sentence｜>"],
    ["</s>", "\\u003c/s>"],
    ["<end_of_turn>", "\\u003cend_of_turn>"],
    ["<<sql>>", "<\\u003csql>>"],
    ['<parameter name="x">', '\\u003cparameter name="x">'],
  ])("takes the edge off %s", (text, expected) => {
    expect(escapeProtocolTags(text)).toBe(expected);
    expect(escapeProtocolTags(expected)).toBe(expected);
  });

  it.each([
    "a < b",
    "1<2",
    "<b>bold</b>",
    "<sqlite>",
    "<thinker>",
    "<user-agent>",
    "x <= y",
    "&lt;sql>",
    "<s",
    "",
  ])("leaves %s", (text) => {
    expect(escapeProtocolTags(text)).toBe(text);
  });
});
