import { describe, expect, it } from "vitest";
import { scored, unscored, type Verdict } from "../../core/verdict.ts";
import {
  dialogueVerdict,
  interactionMatch,
  type JudgedTurn,
  TURN_GROUPS,
  turnGroupOf,
} from "../../curation/interaction-match.ts";

const crashed = unscored("prediction_crashed", "it was killed");

/** The turns of one dialogue in order; a number is a score. */
function dialogue(
  dialogueId: string,
  verdicts: readonly (Verdict | number | null)[],
  hardness: string | null = "easy",
): JudgedTurn[] {
  return verdicts.map((verdict, turn) => ({
    dialogueId,
    turn,
    hardness,
    verdict: typeof verdict === "number" ? scored(verdict) : verdict,
  }));
}

describe("turnGroupOf", () => {
  it("has a group for each of the first four turns and one for the rest", () => {
    expect([0, 1, 2, 3, 4, 5, 40].map(turnGroupOf)).toEqual([
      "turn:1",
      "turn:2",
      "turn:3",
      "turn:4",
      "turn:>4",
      "turn:>4",
      "turn:>4",
    ]);
    expect(TURN_GROUPS).toEqual(["turn:1", "turn:2", "turn:3", "turn:4", "turn:>4"]);
  });
});

describe("dialogueVerdict", () => {
  it.each<readonly [scores: number[], score: number]>([
    [[1], 1],
    [[1, 1, 1], 1],
    [[1, 0, 1], 0],
    [[0], 0],
    // A score in between is not right, nor is one above 1.
    [[1, 0.5], 0],
    [[1.25], 0],
  ])("of %j is %i", (scores, score) => {
    expect(dialogueVerdict(scores.map(scored))).toEqual(scored(score));
  });

  it("is unscored with the first reason where a turn is", () => {
    const refused = unscored("spider_parse_refused", "");
    expect(dialogueVerdict([scored(0), refused, crashed])).toEqual(refused);
  });

  it("is unscored without turns", () => {
    expect(dialogueVerdict([])).toMatchObject({ status: "unscored", reason: "no_turns" });
  });
});

describe("interactionMatch", () => {
  it("is the share of right turns and of dialogues whose every turn is right", () => {
    const result = interactionMatch([
      ...dialogue("a", [1, 1, 1]),
      ...dialogue("b", [1, 0]),
      ...dialogue("c", [1]),
      ...dialogue("d", [0, 0, 1, 1]),
    ]);
    expect(result.questions).toEqual({ count: 10, match: 0.7 });
    expect(result.interactions).toEqual({ count: 4, match: 0.5 });
    expect(result).toMatchObject({
      unscoredTurns: 0,
      missingTurns: 0,
      unscoredInteractions: 0,
      missingInteractions: 0,
    });
  });

  it("groups turns by their place", () => {
    const result = interactionMatch([...dialogue("a", [1, 1, 0, 1, 1, 0, 0]), ...dialogue("b", [0, 1])]);
    expect(result.byTurn).toEqual({
      "turn:1": { count: 2, match: 0.5 },
      "turn:2": { count: 2, match: 1 },
      "turn:3": { count: 1, match: 0 },
      "turn:4": { count: 1, match: 1 },
      "turn:>4": { count: 3, match: 1 / 3 },
    });
  });

  it("groups turns by hardness", () => {
    const result = interactionMatch([
      ...dialogue("a", [1, 0], "hard"),
      ...dialogue("b", [1], "easy"),
      ...dialogue("c", [0], null),
    ]);
    expect(result.byHardness).toEqual({
      hard: { count: 2, match: 0.5 },
      easy: { count: 1, match: 1 },
      unknown: { count: 1, match: 0 },
    });
  });

  it("does not evaluate turns without a prediction, but counts them", () => {
    const result = interactionMatch([
      ...dialogue("a", [1, 1, null]),
      ...dialogue("b", [0, null]),
      ...dialogue("c", [null, null]),
    ]);
    expect(result).toMatchObject({
      questions: { count: 3, match: 2 / 3 },
      missingTurns: 4,
      interactions: { count: 2, match: 0.5 },
      missingInteractions: 1,
    });
    expect(result.byTurn).toEqual({ "turn:1": { count: 2, match: 0.5 }, "turn:2": { count: 1, match: 1 } });
  });

  it("keeps unscored turns and their dialogues apart", () => {
    const result = interactionMatch([
      ...dialogue("a", [1, crashed, 0]),
      ...dialogue("b", [1, 1]),
      ...dialogue("c", [crashed, null]),
    ]);
    expect(result).toMatchObject({
      questions: { count: 4, match: 0.75 },
      unscoredTurns: 2,
      missingTurns: 1,
      interactions: { count: 1, match: 1 },
      unscoredInteractions: 2,
      missingInteractions: 0,
    });
  });

  it("takes turns in any order", () => {
    const turns = [...dialogue("a", [1, 0, 1]), ...dialogue("b", [1, 1])];
    expect(interactionMatch(turns.toReversed())).toEqual(interactionMatch(turns));
  });

  it("has no figures without turns", () => {
    expect(interactionMatch([])).toEqual({
      questions: { count: 0, match: null },
      unscoredTurns: 0,
      missingTurns: 0,
      interactions: { count: 0, match: null },
      unscoredInteractions: 0,
      missingInteractions: 0,
      byTurn: {},
      byHardness: {},
    });
  });
});
