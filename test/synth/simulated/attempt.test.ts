import { describe, expect, it } from "vitest";
import { sameQuery } from "../../../synth/same-query.ts";
import {
  attemptKnown,
  attemptUnknown,
  type AttemptDraw,
  breaksProtocol,
  wrongSql,
} from "../../../synth/simulated/attempt.ts";
import { example, FERRIES } from "../synth-rows.ts";

const DRAW: AttemptDraw = { seed: 1, model: "student", competence: 0.6, draw: 7 };
const QUESTION = {
  example: example("1", { gold: [" SELECT name FROM boat WHERE seats > 20 ", "SELECT 2"] }),
  schema: FERRIES.schema,
};

/** The first number of a stream. */
function first(draw: AttemptDraw, purpose = "style"): number {
  return attemptKnown(QUESTION, draw).random(purpose).next();
}

function brokenShare(right: boolean, chance: number): number {
  const attempt = { ...attemptKnown(QUESTION, DRAW), right, chance };
  return (
    Array.from({ length: 2000 }, (_, turn) => breaksProtocol(attempt, turn)).filter(Boolean).length / 2000
  );
}

describe("attemptKnown", () => {
  it("takes the first gold, its hardness and the competence", () => {
    expect(attemptKnown(QUESTION, DRAW)).toMatchObject({
      gold: "SELECT name FROM boat WHERE seats > 20",
      hardness: "easy",
      competence: 0.6,
    });
  });

  it("is always right at competence 1 and never at 0", () => {
    for (let draw = 0; draw < 20; draw += 1) {
      expect(attemptKnown(QUESTION, { ...DRAW, draw, competence: 1 })).toMatchObject({
        right: true,
        chance: 1,
      });
      expect(attemptKnown(QUESTION, { ...DRAW, draw, competence: 0 })).toMatchObject({
        right: false,
        chance: 0,
      });
    }
  });

  it("draws streams that differ by model, draw and purpose, and nothing else", () => {
    expect(first(DRAW)).toBe(first({ ...DRAW }));
    const others = [
      first({ ...DRAW, model: "other" }),
      first({ ...DRAW, draw: 8 }),
      first({ ...DRAW, draw: "greedy" }),
      first(DRAW, "plan"),
    ];
    expect(new Set([first(DRAW), ...others]).size).toBe(5);
  });
});

describe("attemptUnknown", () => {
  it("counts the rows of the first table shown, or gives 1", () => {
    expect(attemptUnknown('CREATE TABLE "my boats" (\n x);\nCREATE TABLE b (y);', DRAW).gold).toBe(
      'SELECT count(*) FROM "my boats"',
    );
    expect(attemptUnknown("No tables here.", DRAW).gold).toBe("SELECT 1");
  });
});

describe("wrongSql", () => {
  it("differs from the gold, and from draft to draft", () => {
    const attempt = attemptKnown(QUESTION, DRAW);
    const drafts = Array.from({ length: 30 }, (_, draft) => wrongSql(attempt, draft));
    expect(drafts.filter((sql) => sameQuery(sql, attempt.gold))).toEqual([]);
    expect(new Set(drafts).size).toBeGreaterThan(5);
    expect(wrongSql(attempt, 3)).toBe(drafts[3]);
  });
});

describe("breaksProtocol", () => {
  it("is rare, rarer where the answer is right, and never happens where it always is", () => {
    expect(brokenShare(true, 1)).toBe(0);
    expect(brokenShare(true, 0.5)).toBeGreaterThan(0.005);
    expect(brokenShare(true, 0.5)).toBeLessThan(0.03);
    expect(brokenShare(false, 0.5)).toBeGreaterThan(0.05);
    expect(brokenShare(false, 0.5)).toBeLessThan(0.12);
  });
});
