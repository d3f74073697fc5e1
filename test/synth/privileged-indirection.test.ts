import { expect, it } from "vitest";
import { impliedAnswer } from "../../synth/privileged-indirection.ts";

it.each([
  "Whoever made this set has answered with a join.",
  "In the correct solution there is no DISTINCT.",
  "I should end up with two columns there.",
  "I was asked not to mention it.",
  "I had the query from the outset.",
  "The recorded statement is shorter.",
  "What I know of the whole SQL is enough.",
])("an answer that exists is taken for granted in: %s", (text) => {
  expect(impliedAnswer(text, false)).not.toBeNull();
});

it.each([
  "I join members and events, as the question asks for both.",
  "Members joined before 2010 are few.",
  "The final query needs one row.",
  "I need to reach the event table through attendance.",
  "The answer must have two columns.",
  "The question asks for a total, so I sum.",
])("nothing of it is in: %s", (text) => {
  expect(impliedAnswer(text, true)).toBeNull();
});

it("minds a statement that has properties only before there is one", () => {
  const text = "The statement sorts by the count.";
  expect(impliedAnswer(text, true)).toBe("The statement sorts");
  expect(impliedAnswer(text, false)).toBeNull();
});
