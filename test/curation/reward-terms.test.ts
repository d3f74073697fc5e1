import { expect, it } from "vitest";
import { scored, unscored } from "../../core/verdict.ts";
import { isUnscored, scoresOf, termWeights, weighted, weightedSum } from "../../curation/reward-terms.ts";

it("weights have defaults, and no other names", () => {
  const Weights = termWeights({ answer: 1, length: 0.2 });
  expect(Weights.parse(undefined)).toEqual({ answer: 1, length: 0.2 });
  expect(Weights.parse({ length: 0 })).toEqual({ answer: 1, length: 0 });
  expect(Weights.safeParse({ lenght: 0 }).success).toBe(false);
});

it("a weighted sum keeps its terms in the order of the weights", () => {
  const terms = weighted({ length: -1, answer: 1 }, { answer: 1, length: 0.25 });
  expect(Object.keys(terms)).toEqual(["answer", "length"]);
  expect(weightedSum(terms)).toEqual({ status: "scored", total: 0.75, terms });
});

it("scores are all there, or the first that is not", () => {
  const verdicts = { a: scored(1), b: unscored("gold_error", "no table") };
  expect(scoresOf(verdicts, ["a"])).toEqual({ a: 1 });
  expect(scoresOf(verdicts, ["a", "b"])).toMatchObject({ reason: "gold_error" });
  expect(scoresOf(verdicts, ["c"])).toMatchObject({ reason: "metric_missing" });
  expect(isUnscored(scoresOf(verdicts, ["a"]))).toBe(false);
});
