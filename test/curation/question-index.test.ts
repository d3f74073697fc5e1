import { describe, expect, it } from "vitest";
import { QuestionIndex, QuestionWeights } from "../../curation/question-index.ts";

const QUESTIONS = [
  "How many singers do we have?",
  "Show the name and the release year of the song by the youngest singer.",
  "What are the names of the heads who are born outside the California state?",
  "Which department has the largest number of employees?",
  "List the creation year, name and budget of each department.",
  "How many acting departments are there?",
];

function indexOf(texts: readonly string[]): QuestionIndex {
  const weights = new QuestionWeights();
  for (const text of QUESTIONS) weights.add(text);
  return new QuestionIndex(texts, weights);
}

it("weighs rare words more than common ones, and unseen ones most", () => {
  const weights = new QuestionWeights();
  for (const text of QUESTIONS) weights.add(text);
  expect(weights.of("the")).toBeLessThan(weights.of("california"));
  expect(weights.of("california")).toBeLessThan(weights.of("nowhere"));
  expect(weights.of("california")).toBeCloseTo(Math.log(7 / 1.5), 10);
});

describe("QuestionIndex", () => {
  it("finds the question that another one paraphrases", () => {
    const index = indexOf(QUESTIONS);
    const paraphrase = "Show the title and the publication year of the track by the youngest vocalist.";
    const found = index.nearest(paraphrase);
    expect(found?.place).toBe(1);
    const other = index.nearest("Show the price and the weight of the oldest car by a maker from France.");
    expect(found?.similarity).toBeGreaterThan(other?.similarity ?? 1);
  });

  it("is surer of a long question than of a short one, even where both are the same", () => {
    const index = indexOf(QUESTIONS);
    const [short = "", long = ""] = QUESTIONS;
    expect(index.nearest(long)?.similarity).toBeGreaterThan(index.nearest(short)?.similarity ?? 1);
    expect(index.nearest(long)?.similarity).toBeLessThan(1);
  });

  it("takes the first of equal questions, and none where no word is shared", () => {
    const [first = ""] = QUESTIONS;
    expect(indexOf([first, first]).nearest(first)?.place).toBe(0);
    expect(indexOf([]).nearest(first)).toBeNull();
    expect(indexOf(["zzz"]).nearest("")?.similarity ?? -1).toBeLessThan(0.1);
  });
});
