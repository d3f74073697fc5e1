import { describe, expect, it } from "vitest";
import birdDifficulty from "../../../curation/metrics/bird-difficulty.ts";
import { NO_TABLES } from "./judged-pair.ts";

const labelOf = (difficulty?: string | null): unknown =>
  birdDifficulty.label("SELECT 1", NO_TABLES, difficulty);

describe("bird-difficulty", () => {
  it.each(["simple", "moderate", "challenging"])("is the published difficulty: %s", (difficulty) => {
    expect(labelOf(difficulty)).toEqual({ status: "scored", label: difficulty });
  });

  it("says why there is none", () => {
    const missing = { status: "unscored", reason: "difficulty_missing" };
    expect(labelOf()).toMatchObject(missing);
    expect(labelOf(null)).toMatchObject(missing);
    expect(labelOf("Simple")).toEqual({
      status: "unscored",
      reason: "difficulty_unknown",
      message: 'got "Simple", expected one of simple, moderate, challenging',
    });
  });
});
