import { expect, it } from "vitest";
import { openingExample } from "../../../synth/prompts/opening-example.ts";
import { openingOf } from "../episode-rows.ts";

it("has the history that is shown, not the example's own", () => {
  const opening = openingOf({ history: [{ question: "How many?", sql: "SELECT predicted" }] });
  expect(openingExample(opening, "gold").history).toEqual([
    { question: "How many?", gold: "SELECT predicted" },
  ]);
  expect(openingExample(opening, "questions").history).toEqual([{ question: "How many?", gold: null }]);
});
