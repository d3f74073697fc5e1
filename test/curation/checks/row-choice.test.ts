import { expect, it } from "vitest";
import rowChoice from "../../../curation/checks/row-choice.ts";
import { kindsOf } from "../check-subject.ts";

it.each([
  ["Which boat has the most seats?", "SELECT name FROM boat ORDER BY seats DESC LIMIT 1", []],
  ["Which boat has the most seats?", "SELECT name FROM boat ORDER BY seats LIMIT 1", ["other_direction"]],
  ["Which boat has the most seats?", "SELECT name FROM boat ORDER BY seats DESC", ["limit_missing"]],
  ["Which boat has the most seats?", "SELECT name FROM boat ORDER BY seats DESC LIMIT 3", ["other_limit"]],
  ["Which is the oldest boat?", "SELECT name FROM boat ORDER BY built DESC LIMIT 1", ["other_direction"]],
  ["Which is the oldest boat?", "SELECT name FROM boat ORDER BY built LIMIT 1", []],
  [
    "List the top three boats by seats.",
    "SELECT name FROM boat ORDER BY seats DESC LIMIT 2",
    ["other_limit"],
  ],
  ["List names in descending order of seats.", "SELECT name FROM boat ORDER BY seats", ["other_direction"]],
  ["List names in alphabetical order.", "SELECT name FROM boat", ["order_missing"]],
  ["List boats sorted by seats.", "SELECT name FROM boat ORDER BY seats DESC", ["descent_unasked"]],
  [
    "How many boats are the largest?",
    "SELECT count(name) FROM boat ORDER BY seats DESC LIMIT 1",
    ["order_of_one"],
  ],
])("%s %s: %j", async (question, gold, kinds) => {
  expect(await kindsOf(rowChoice, question, gold)).toEqual(kinds);
});

it("goes by the evidence where that says which end is meant", async () => {
  const gold = "SELECT name FROM boat ORDER BY price LIMIT 1";
  expect(
    await kindsOf(rowChoice, "Which boat saves the most?", gold, "saves the most refers to MIN(price)"),
  ).toEqual([]);
});
