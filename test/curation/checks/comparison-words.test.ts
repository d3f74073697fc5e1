import { expect, it } from "vitest";
import comparisonWords from "../../../curation/checks/comparison-words.ts";
import { kindsOf } from "../check-subject.ts";

it.each([
  ["Which boats have more than 50 seats?", "SELECT name FROM boat WHERE seats > 50", []],
  ["Which boats have more than 50 seats?", "SELECT name FROM boat WHERE seats < 50", ["other_side"]],
  ["Which boats have at least 50 seats?", "SELECT name FROM boat WHERE seats > 50", ["boundary"]],
  ["Which boats were built after 1990?", "SELECT name FROM boat WHERE built = 1990", ["equality"]],
  ["Which boats have 50 seats?", "SELECT name FROM boat WHERE seats > 50", ["size_unasked"]],
  [
    "Which boats have over 10 or less than 5 seats?",
    "SELECT name FROM boat WHERE seats > 10 OR seats < 5",
    [],
  ],
  [
    "Which owners have more than one boat?",
    "SELECT owner_id FROM boat GROUP BY owner_id",
    ["comparison_missing"],
  ],
  [
    "Which owners have more than one boat?",
    "SELECT owner_id FROM boat GROUP BY owner_id HAVING count(*) >= 2",
    [],
  ],
  [
    "Which boats are no ferries, and not tugs?",
    "SELECT name FROM boat WHERE kind = 'Cutter'",
    ["negation_missing"],
  ],
  ["Which boats are not ferries?", "SELECT name FROM boat WHERE kind != 'Ferry'", []],
  ["Which boats are ferries?", "SELECT name FROM boat WHERE kind != 'Ferry'", ["not_equal_unasked"]],
  [
    "Which boats have more seats than the average?",
    "SELECT name FROM boat WHERE seats > (SELECT avg(seats) FROM boat)",
    [],
  ],
  [
    "Which boats have seats above the average?",
    "SELECT name FROM boat WHERE seats < (SELECT avg(seats) FROM boat)",
    ["other_side"],
  ],
])("%s %s: %j", async (question, gold, kinds) => {
  expect(await kindsOf(comparisonWords, question, gold)).toEqual(kinds);
});
