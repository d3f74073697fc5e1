import { describe, expect, it } from "vitest";
import { answerText, parseAnswer, splitThought } from "../../synth/answer-text.ts";

describe("answerText", () => {
  it("fences the query as sql, with a fence longer than its backticks", () => {
    expect(answerText("SELECT 1")).toBe("```sql\nSELECT 1\n```");
    expect(answerText("SELECT ```a```")).toBe("````sql\nSELECT ```a```\n````");
  });

  it("is read back by parseAnswer", () => {
    for (const sql of ["SELECT 1", "SELECT `a` FROM t\nWHERE b = '```'"]) {
      expect(parseAnswer(answerText(sql))).toEqual({ reasoning: null, lead: "", sql, endsInBlock: true });
    }
  });
});

describe("parseAnswer", () => {
  it("takes the last block fenced as SQL or without a language", () => {
    const text = "First:\n```sql\nSELECT 1\n```\nBetter:\n```\nSELECT 2\n```\nSee ```python\nprint()\n```.";
    expect(parseAnswer(text)).toMatchObject({
      lead: "First:\n```sql\nSELECT 1\n```\nBetter:",
      sql: "SELECT 2",
      endsInBlock: false,
    });
  });

  it("reads a block that opens or closes within a line", () => {
    expect(parseAnswer("So: ```sqlite SELECT 1``` done").sql).toBe("SELECT 1");
    expect(parseAnswer("```SELECT 1```").sql).toBe("SELECT 1");
  });

  it("takes the tags of the last answer or solution before any block", () => {
    expect(
      parseAnswer("<answer>SELECT 1</answer> or <solution>\nSELECT 2\n</solution> ```sql\nSELECT 3\n```"),
    ).toEqual({
      reasoning: null,
      lead: "<answer>SELECT 1</answer> or",
      sql: "SELECT 2",
      endsInBlock: false,
    });
    expect(parseAnswer("<answer>\n```sql\nSELECT 4\n```\n</answer>").sql).toBe("SELECT 4");
  });

  it("takes nothing from a thought", () => {
    expect(parseAnswer("<think>\n```sql\nSELECT 1\n```\n</think>\nNo idea.")).toEqual({
      reasoning: "```sql\nSELECT 1\n```",
      lead: "No idea.",
      sql: null,
      endsInBlock: false,
    });
    expect(parseAnswer("<think>\n```sql\nSELECT 1\n```").sql).toBeNull();
  });

  it.each(["", "SELECT 1", "```sql\nSELECT 1", "```sql\n\n```", "<answer></answer>", "```python\nx\n```"])(
    "finds no answer in %j",
    (text) => {
      expect(parseAnswer(text).sql).toBeNull();
    },
  );

  it("takes time linear in a hostile text", () => {
    expect(parseAnswer("<think>".repeat(100_000) + "```a\n".repeat(100_001)).sql).toBeNull();
    expect(parseAnswer("<answer>".repeat(100_000)).sql).toBeNull();
  });
});

describe("splitThought", () => {
  it("ends a thought at its last tag, whether or not it was opened", () => {
    expect(splitThought("a <think>b</think> c")).toEqual({ reasoning: "b", rest: "a  c" });
    expect(splitThought("b</think> c</think>d")).toEqual({ reasoning: "b</think> c", rest: "d" });
    expect(splitThought("a")).toEqual({ reasoning: null, rest: "a" });
  });
});
