import { describe, expect, it } from "vitest";
import { scanTags, splitLeadingThought } from "../../synth/tag-parser.ts";

describe("splitLeadingThought", () => {
  it.each<[string, string | null, string]>([
    ["<think>a</think>b", "a", "b"],
    ["\n<THINK>\na\n</THINK>\n\nb", "a", "\n\nb"],
    ["plan</think>\nb", "plan", "\nb"],
    ["use <sql> or so</think><sql>x</sql>", "use <sql> or so", "<sql>x</sql>"],
    ["<think>a</think>b</think>c", "a", "b</think>c"],
    ["<think>never ends <sql>x</sql>", null, "<think>never ends <sql>x</sql>"],
    ["<reasoning>a</reasoning>b</think>", null, "<reasoning>a</reasoning>b</think>"],
    ["<sql>SELECT '</think>'</sql>", null, "<sql>SELECT '</think>'</sql>"],
    ["first <think>a</think>b", null, "first <think>a</think>b"],
    ["", null, ""],
  ])("parts %j", (text, thought, rest) => {
    expect(splitLeadingThought(text)).toEqual({ thought, rest });
  });
});

describe("scanTags", () => {
  it("gives thoughts and the first action", () => {
    const text = "<reasoning> a </reasoning>\n<reasoning>b</reasoning> so <sql>\nSELECT 1\n</sql> rest";
    expect(scanTags(text)).toEqual({
      thoughts: ["a", "b"],
      action: { tag: "sql", sql: "SELECT 1", text: "<sql>\nSELECT 1\n</sql>", rest: " rest" },
      problem: null,
      openTag: null,
      isForged: false,
    });
  });

  it("says which action is open at the end", () => {
    expect(scanTags("<reasoning>a</reasoning><solution>SELECT 1")).toEqual({
      thoughts: ["a"],
      action: null,
      problem: "unclosed_action",
      openTag: "solution",
      isForged: false,
    });
    expect(scanTags("<sql> ")).toMatchObject({ problem: "unclosed_action", openTag: null });
  });

  it.each([
    ["<sql>```sql\nSELECT 1\n```</sql>", "SELECT 1"],
    ["<sql>\n````sqlite\nSELECT '```'\n````\n</sql>", "SELECT '```'"],
    ["<sql>```\r\nSELECT 1\r\n```</sql>", "SELECT 1"],
    ["<sql>```sql SELECT 1```</sql>", "```sql SELECT 1```"],
    ["<sql>SELECT `a` FROM `b`</sql>", "SELECT `a` FROM `b`"],
    ['<sql>SELECT \'{"a": "</b>"}\' -- x\n, 2</sql>', 'SELECT \'{"a": "</b>"}\' -- x\n, 2'],
  ])("takes SQL out of its fence: %j", (text, sql) => {
    expect(scanTags(text).action?.sql).toBe(sql);
  });

  it.each([
    ["<sql>a</sql><observation>1</observation>", true],
    ["<observation>1</observation><sql>a</sql>", true],
    ["<observation>1", true],
    ["<reasoning><observation>1</observation></reasoning><sql>a</sql>", false],
    ["<sql>a</sql> the observation", false],
  ])("sees an observation outside thoughts in %j: %s", (text, isForged) => {
    expect(scanTags(text).isForged).toBe(isForged);
  });

  it("keeps the start of a thought that does not end", () => {
    expect(scanTags("<reasoning>a <sql>b</sql>")).toEqual({
      thoughts: ["a <sql>b</sql>"],
      action: null,
      problem: "unclosed_thought",
      openTag: null,
      isForged: false,
    });
  });

  it("reads a long reply of nothing but opening tags", () => {
    const text = "<sql><reasoning></reasoning>".repeat(40_000);
    expect(scanTags(text)).toMatchObject({ action: null, problem: "no_tag" });
  });
});
