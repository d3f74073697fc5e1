import { expect, it } from "vitest";
import { shownHistory } from "../../synth/shown-history.ts";
import { example } from "./synth-rows.ts";

it("shows earlier SQL only to scaffolds that ask for gold", () => {
  const followUp = example("4:1", { history: [{ question: "How many?", gold: "SELECT 1" }] });
  expect(shownHistory(followUp, { history: "gold" })).toEqual([{ question: "How many?", sql: "SELECT 1" }]);
  expect(shownHistory(followUp, { history: "questions" })).toEqual([{ question: "How many?", sql: null }]);
  expect(shownHistory(followUp, {})).toEqual([{ question: "How many?", sql: null }]);
});
