import { describe, expect, it } from "vitest";
import { partPad, type PaddedReply } from "../../synth/scratch-pad.ts";

describe("partPad", () => {
  it.each<[string, PaddedReply]>([
    ["", { pad: null, rest: "", isOpen: false }],
    ["a", { pad: null, rest: "a", isOpen: false }],
    ["<scratch_pad> a </scratch_pad>b", { pad: "a", rest: "b", isOpen: false }],
    ["<SCRATCH_PAD >a</scratch_pad\n>b", { pad: "a", rest: "b", isOpen: false }],
    ["<scratch_pad></scratch_pad>b", { pad: "", rest: "b", isOpen: false }],
    [
      "x<scratch_pad>a</scratch_pad>y<scratch_pad>b</scratch_pad>z",
      { pad: "a\n\nb", rest: "xyz", isOpen: false },
    ],
    [
      "<scratch_pad>a <tool_call>b</tool_call>",
      { pad: "a <tool_call>b</tool_call>", rest: "", isOpen: true },
    ],
    ["<scratch_pad>a<scratch_pad>b</scratch_pad>c", { pad: "a<scratch_pad>b", rest: "c", isOpen: false }],
    ["a</scratch_pad>b", { pad: "a", rest: "b", isOpen: false }],
    ["<scratch_pad>a</scratch_pad></scratch_pad>b", { pad: "a", rest: "</scratch_pad>b", isOpen: false }],
    [
      "<tool_call>{}</tool_call><scratch_pad>a",
      { pad: null, rest: "<tool_call>{}</tool_call><scratch_pad>a", isOpen: false },
    ],
    [
      "<final_answer>'<scratch_pad>'</final_answer>",
      { pad: null, rest: "<final_answer>'<scratch_pad>'</final_answer>", isOpen: false },
    ],
  ])("parts %j", (text, expected) => {
    expect(partPad(text)).toEqual(expected);
  });
});
