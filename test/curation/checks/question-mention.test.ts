import { expect, it } from "vitest";
import questionMention from "../../../curation/checks/question-mention.ts";
import { kindsOf } from "../check-subject.ts";

it.each([
  ["Which kind is 'Tern'?", "SELECT kind FROM boat WHERE built IS NOT NULL", ["name_missing"]],
  ["Which kind is 'Tern'?", "SELECT kind FROM boat WHERE name = 'Tern'", []],
  ["Which boats have more than 50 seats?", "SELECT name FROM boat", ["number_missing"]],
  ["Which boats have more than 50 seats?", "SELECT name FROM boat WHERE seats >= 51", []],
  [
    "Which boats have more than 50 seats?",
    "SELECT name FROM boat WHERE seats > 60",
    ["number_missing", "unmentioned_number"],
  ],
  ["Which boats are ferries?", "SELECT name FROM boat WHERE kind = 'Cutter'", ["unmentioned_text"]],
  ["Which boats are ferries?", "SELECT name FROM boat WHERE kind = 'Ferry'", []],
  ["Which boats are there?", "SELECT name FROM boat WHERE built = 1990", ["unmentioned_number"]],
  ["Which women own boats?", "SELECT owner_name FROM owner WHERE sex = 'M'", ["other_sex"]],
  ["Which women own boats?", "SELECT owner_name FROM owner WHERE sex = 'F'", []],
])("%s %s: %j", async (question, gold, kinds) => {
  expect(await kindsOf(questionMention, question, gold)).toEqual(kinds);
});
