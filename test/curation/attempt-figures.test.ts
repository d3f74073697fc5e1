import { describe, expect, it } from "vitest";
import type { ExecutionStatus } from "../../core/execution.ts";
import { type AnsweredSample, AttemptFigures, electedOf } from "../../curation/attempt-figures.ts";
import { sample } from "./sample-rows.ts";
import { ended } from "./vote-cases.ts";

/** The samples of a question: a score, a result, and a text each. */
function answers(
  ...given: readonly (readonly [number, string, string, ExecutionStatus?])[]
): AnsweredSample[] {
  return given.map(([score, result, sql, status = "ok"], index) => ({
    sample: sample("a", index, score, { execution: ended(status, result) }),
    sql,
  }));
}

const FIRST = answers([0, "x", "A"], [1, "y", "B"], [1, "y", "C"], [1, "y", " B "]);
const SECOND = answers([0, "", "A", "error"], [0, "n", "B", "empty"]);

describe("AttemptFigures", () => {
  const figures = new AttemptFigures(["bird-ex"], [1, 2, 4]);
  figures.add(FIRST);
  figures.add(SECOND);

  it("estimates pass@k and pass^k over questions with as many samples", () => {
    // 3 of 4 right: pass@2 is 1 - 0, pass^2 is 3 of the 6 pairs; the second question has 0 of 2.
    expect(figures.passFigures()).toEqual([
      { metric: "bird-ex", k: 1, questions: 2, passAtK: 0.375, passHatK: 0.375 },
      { metric: "bird-ex", k: 2, questions: 2, passAtK: 0.5, passHatK: 0.25 },
      { metric: "bird-ex", k: 4, questions: 1, passAtK: 1, passHatK: 0 },
    ]);
  });

  it("scores who the first k samples elect; nobody is wrong", () => {
    expect(figures.voteFigures()).toEqual([
      { method: "majority", metric: "bird-ex", k: 1, questions: 2, mean: 0, unanswered: 0 },
      { method: "majority", metric: "bird-ex", k: 2, questions: 2, mean: 0, unanswered: 0 },
      { method: "majority", metric: "bird-ex", k: 4, questions: 1, mean: 1, unanswered: 0 },
      { method: "consensus", metric: "bird-ex", k: 1, questions: 2, mean: 0, unanswered: 1 },
      { method: "consensus", metric: "bird-ex", k: 2, questions: 2, mean: 0, unanswered: 1 },
      { method: "consensus", metric: "bird-ex", k: 4, questions: 1, mean: 1, unanswered: 0 },
    ]);
  });

  it("counts different texts and results", () => {
    expect(figures.uniqueFigures()).toEqual([
      { k: 1, questions: 2, sql: 1, results: 0.5 },
      { k: 2, questions: 2, sql: 2, results: 1.5 },
      { k: 4, questions: 1, sql: 3, results: 2 },
    ]);
  });

  it("tells who is elected by all", () => {
    expect(electedOf(FIRST)).toMatchObject({ majority: { sampleIndex: 1 }, consensus: { sampleIndex: 1 } });
    expect(electedOf(SECOND)).toMatchObject({ majority: { sampleIndex: 1 }, consensus: null });
  });
});
