import { describe, expect, it } from "vitest";
import { tagBlocks } from "../../synth/tag-blocks.ts";

/** `name:inner`, with `!` where the block does not end. */
function blocks(text: string, skipped: { start: number; end: number }[] = []): string[] {
  return tagBlocks(text, ["final_answer", "schema"], skipped).map(
    ({ name, inner, isClosed }) => `${name}:${inner}${isClosed ? "" : "!"}`,
  );
}

describe("tagBlocks", () => {
  it.each<[string, string[]]>([
    ["", []],
    ["SELECT 1", []],
    ["<final_answer>SELECT 1</final_answer>", ["final_answer:SELECT 1"]],
    ["<schema> {} </schema>\n<final_answer>\n1\n</final_answer>", ["schema:{}", "final_answer:1"]],
    ["<FINAL_ANSWER >1</Final_Answer\n>", ["final_answer:1"]],
    ["<final_answer>1", ["final_answer:1!"]],
    ["1</final_answer>", []],
    ["<final_answer>1</schema>", ["final_answer:1</schema>!"]],
    ["<final_answer>1<schema>{}</schema>", ["schema:{}"]],
    ["<final_answer>1 <final_answer>2</final_answer>", ["final_answer:2"]],
    ["<think><final_answer>1</final_answer></think>", []],
    ["<think><final_answer>1</final_answer>", []],
    ["<tool_response><schema>{}</schema></tool_response><schema>a</schema>", ["schema:a"]],
    ["<final_answer>1<think>2</final_answer>", []],
    ["<final_answer>1</final_answer><final_answer>2</final_answer>", ["final_answer:1", "final_answer:2"]],
    ["<final_answers>1</final_answers>", []],
    [
      "<final_answer>SELECT '<b>' FROM t WHERE a < 3</final_answer>",
      ["final_answer:SELECT '<b>' FROM t WHERE a < 3"],
    ],
  ])("finds in %j %j", (text, expected) => {
    expect(blocks(text)).toEqual(expected);
  });

  it("passes over what is skipped, and gives places", () => {
    const text = "ab<schema>x</schema><schema>y</schema>";
    expect(blocks(text, [{ start: 2, end: 20 }])).toEqual(["schema:y"]);
    expect(tagBlocks(text, ["schema"], [])[0]).toEqual({
      name: "schema",
      inner: "x",
      start: 2,
      end: 20,
      isClosed: true,
    });
  });

  it("takes a long text in stride", () => {
    expect(tagBlocks("<schema>".repeat(50_000), ["schema"], [])).toHaveLength(1);
    expect(tagBlocks("</schema>".repeat(50_000), ["schema"], [])).toEqual([]);
  });
});
