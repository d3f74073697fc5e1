import { describe, expect, it } from "vitest";
import { LabelVerdict, scored, scoredWith, unscored, Verdict } from "../../core/verdict.ts";

describe("verdicts", () => {
  it("are made and read back", () => {
    expect(Verdict.parse(scored(0.5))).toEqual({ status: "scored", score: 0.5 });
    expect(Verdict.parse(unscored("gold_error", "no such table: a"))).toEqual({
      status: "unscored",
      reason: "gold_error",
      message: "no such table: a",
    });
  });

  it("may carry figures behind the number", () => {
    const verdict = scoredWith(1, { ratio: 1.5, where: [1, 1, 1, 2, 2] });
    expect(verdict).toEqual({
      status: "scored",
      score: 1,
      details: { ratio: 1.5, where: [1, 1, 1, 2, 2] },
    });
    expect(Verdict.parse(verdict)).toEqual(verdict);
    expect(Verdict.safeParse({ ...verdict, details: { ratio: Number.NaN } }).success).toBe(false);
  });

  it("have a number or a reason, never both and never NaN", () => {
    expect(Verdict.safeParse(scored(Number.NaN)).success).toBe(false);
    expect(Verdict.safeParse(scored(Number.POSITIVE_INFINITY)).success).toBe(false);
    expect(Verdict.safeParse({ status: "scored" }).success).toBe(false);
    expect(Verdict.safeParse({ status: "unscored", score: 0 }).success).toBe(false);
    expect(Verdict.safeParse({ ...scored(1), reason: "x", message: "" }).success).toBe(false);
  });

  it("of labels have a name instead of a number", () => {
    expect(LabelVerdict.safeParse({ status: "scored", label: "easy" }).success).toBe(true);
    expect(LabelVerdict.safeParse(scored(1)).success).toBe(false);
  });
});
