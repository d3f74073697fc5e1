import { describe, expect, it } from "vitest";
import { correctedGold, correctedText, refuse } from "../../datasets/correction-rules.ts";
import { placed } from "./correction-fixtures.ts";

const change = (before: string | null, after: string | null, line = 1) => placed({ before, after }, line);

describe("correctedText", () => {
  it("follows corrections one after another, and takes the same one twice for one", () => {
    expect(correctedText("a", [])).toBe("a");
    expect(correctedText("a", [change("a", "b"), change("b", "c", 2), change("a", "b", 3)])).toBe("c");
    expect(correctedText(null, [change(null, "new")])).toBe("new");
    expect(correctedText("a", [change("a", null)])).toBeNull();
  });

  it("refuses one that finds another text, and says what is there", () => {
    expect(() => correctedText("z", [change("a", "b")])).toThrow(
      'line 1 of fixes.jsonl: the gold of question 0 is now "z", expected "a"',
    );
    expect(() => correctedText("b", [change("a", "b")])).toThrow(
      expect.objectContaining({
        code: "CORRECTION_STALE",
        hint: "the data already say what it asks for: take the line away",
      }),
    );
  });

  it("refuses two that contradict each other, and names both lines", () => {
    const act = () => correctedText("a", [change("a", "b"), change("a", "c", 7)]);
    expect(act).toThrow(
      expect.objectContaining({ code: "CORRECTION_CONFLICT", site: { file: "fixes.jsonl", line: 7 } }),
    );
    expect(act).toThrow(
      'line 1 of fixes.jsonl has corrected the gold of question 0 already: there is now "b"',
    );
  });
});

describe("correctedGold", () => {
  it("replaces, adds and takes away", () => {
    expect(correctedGold(["a", "b"], [change("b", "c")])).toEqual(["a", "c"]);
    expect(correctedGold(["a"], [change(null, "b"), change(null, "c", 2)])).toEqual(["a", "b", "c"]);
    expect(correctedGold(["a", "b"], [change("a", null)])).toEqual(["b"]);
    expect(correctedGold([], [change(null, "a")])).toEqual(["a"]);
    expect(correctedGold(["a", "b"], [change("a", "b")])).toEqual(["b"]);
  });

  it("refuses what is not there, what is there already, and contradictions", () => {
    const code = (name: string) => expect.objectContaining({ code: name }) as Error;
    expect(() => correctedGold(["a"], [change("x", "b")])).toThrow(code("CORRECTION_STALE"));
    expect(() => correctedGold([], [change("x", "b")])).toThrow("is now no SQL");
    expect(() => correctedGold(["a"], [change(null, "a")])).toThrow(code("CORRECTION_STALE"));
    expect(() => correctedGold(["a"], [change("a", "b"), change("a", "c", 2)])).toThrow(
      code("CORRECTION_CONFLICT"),
    );
  });
});

it("refuse names the place", () => {
  const error = refuse("CORRECTION_STALE", placed({}, 3), { problem: "it is late", hint: "hurry" });
  expect(error).toMatchObject({
    code: "CORRECTION_STALE",
    message: "cannot apply the correction in line 3 of fixes.jsonl: it is late",
    hint: "hurry",
    site: { file: "fixes.jsonl", line: 3 },
  });
});
