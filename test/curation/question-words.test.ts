import { expect, it } from "vitest";
import { questionWords, sameQuestionKey } from "../../curation/question-words.ts";

it.each([
  ["How many singers are there?", ["how", "many", "singer", "are", "there"]],
  ["List the countries' cities, passes & classes.", ["list", "the", "country", "city", "pass", "class"]],
  ["Études written in 1990s", ["etude", "written", "in", "1990s"]],
  ["boarding walked bed sing", ["board", "walk", "bed", "sing"]],
  ["", []],
])("finds the words of %j", (text, words) => {
  expect(questionWords(text)).toEqual(words);
});

it("compares questions without case, punctuation and spaces, and with endings", () => {
  expect(sameQuestionKey(" How  many SINGERS?")).toBe(sameQuestionKey("how many singers"));
  expect(sameQuestionKey("how many singer")).not.toBe(sameQuestionKey("how many singers"));
});
