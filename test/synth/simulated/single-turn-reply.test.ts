import { describe, expect, it } from "vitest";
import { sameQuery } from "../../../synth/same-query.ts";
import { type Attempt, attemptKnown } from "../../../synth/simulated/attempt.ts";
import { singleTurnReply } from "../../../synth/simulated/single-turn-reply.ts";
import { parseAnswer } from "../../../synth/answer-text.ts";
import { example, FERRIES } from "../synth-rows.ts";

const GOLD = "SELECT name FROM boat WHERE seats > 20";
const QUESTION = { example: example("1", { gold: [GOLD] }), schema: FERRIES.schema };

function attempt(draw: number, competence: number): Attempt {
  return attemptKnown(QUESTION, { seed: 1, model: "student", competence, draw });
}

describe("singleTurnReply", () => {
  it("thinks, then ends in one block with the gold, where it is right", () => {
    for (let draw = 0; draw < 50; draw += 1) {
      const { text, isEndless } = singleTurnReply(attempt(draw, 1));
      expect(isEndless).toBe(false);
      expect(text).toMatch(/^<think>\n.+\n<\/think>\n\n```sql\n[^`]+\n```$/);
      expect(sameQuery(parseAnswer(text).sql ?? "", GOLD)).toBe(true);
    }
  });

  it("gives other queries where it is wrong, and breaks the form in every way now and then", () => {
    const replies = Array.from({ length: 400 }, (_, draw) => singleTurnReply(attempt(draw, 0)));
    const wellFormed = replies.filter(({ text }) => parseAnswer(text).endsInBlock);
    expect(wellFormed.length).toBeGreaterThan(320);
    expect(wellFormed.some(({ text }) => sameQuery(parseAnswer(text).sql ?? "", GOLD))).toBe(false);
    const finished = replies.filter(({ isEndless }) => !isEndless);
    expect(finished.length).toBeLessThan(400);
    const blocks = new Set(finished.map(({ text }) => text.split("```").length - 1));
    expect(blocks).toEqual(new Set([0, 1, 2, 4]));
  });
});
