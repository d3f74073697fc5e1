import { describe, expect, it } from "vitest";
import { attemptKnown } from "../../../synth/simulated/attempt.ts";
import {
  linkedNames,
  linkingText,
  nextDraft,
  planNamedIn,
  symptomIn,
} from "../../../synth/simulated/drafting.ts";
import { example, FERRIES } from "../synth-rows.ts";

const QUESTION = {
  example: example("1", { gold: ["SELECT name FROM boat WHERE seats > 20"] }),
  schema: FERRIES.schema,
};
const ATTEMPT = attemptKnown(QUESTION, { seed: 1, model: "student", competence: 1, draw: 3 });

describe("nextDraft", () => {
  it("runs a statement first, and answers with the one that is right", () => {
    const start = { turn: 0, tried: [], symptom: "none", isLast: false } as const;
    expect(nextDraft(ATTEMPT, start, false)).toMatchObject({ kind: "run" });
    expect(nextDraft(ATTEMPT, { ...start, isLast: true }, true)).toMatchObject({ kind: "answer" });
    const tried = [ATTEMPT.gold];
    expect(nextDraft(ATTEMPT, { turn: 1, tried, symptom: "error", isLast: false }, true)).toMatchObject({
      kind: "answer",
      sql: ATTEMPT.gold,
    });
  });
});

describe("planNamedIn", () => {
  it("is named by the first reply, or its digest", () => {
    expect(planNamedIn([])).toBeNull();
    expect(planNamedIn([{ role: "assistant", content: "a [plan 1x9] b" }])).toBe("1x9");
    expect(planNamedIn([{ role: "assistant", content: "" }])).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
  });
});

describe("symptomIn", () => {
  it.each([
    ["Error: no such column: a", "error"],
    ["name\n[0 rows: the statement ran and gave nothing]", "empty"],
    ["name", "empty"],
    ["name\nTern\n[1 row]", "rows"],
  ])("reads %j as %s", (text, symptom) => {
    expect(symptomIn(text)).toBe(symptom);
  });
});

describe("linkedNames", () => {
  it("names tables with the columns that are used", () => {
    expect(linkedNames(ATTEMPT.gold, ATTEMPT)).toEqual([{ table: "boat", columns: ["name", "seats"] }]);
    expect(linkingText(ATTEMPT.gold, ATTEMPT)).toBe("Relevant: table boat with name, seats.");
    expect(linkingText("SELECT 1", ATTEMPT)).toBe("No table of the listing fits exactly.");
  });
});
