import { expect, it } from "vitest";
import { EvaluatedQuestion } from "../../curation/evaluated-rows.ts";

it("takes a question whose sample has no score, and no key that it does not know", () => {
  const row = {
    exampleId: "a",
    sourceId: "0",
    databaseId: "ferries",
    system: "student",
    gold: "gold_error",
    hardness: null,
    difficulty: null,
    turn: null,
    features: [],
    samples: 1,
    scores: { "bird-ex": [null] },
    majority: 0,
    consensus: null,
    errors: [],
    signs: [],
    dependsOnMetric: false,
  };
  expect(EvaluatedQuestion.parse(row)).toEqual(row);
  expect(EvaluatedQuestion.safeParse({ ...row, turn: 0 }).success).toBe(false);
  expect(EvaluatedQuestion.safeParse({ ...row, sql: "SELECT 1" }).success).toBe(false);
});
