import { expect, it } from "vitest";
import resultShape from "../../../curation/checks/result-shape.ts";
import { kindsOf } from "../check-subject.ts";

it.each([
  ["Which boats have over 50 seats?", "SELECT count(*) FROM boat WHERE seats > 50", ["count_unasked"]],
  ["How many boats have over 50 seats?", "SELECT count(*) FROM boat WHERE seats > 50", []],
  ["How many boats are there?", "SELECT name FROM boat", ["count_asked"]],
  ["How many seats does Tern have?", "SELECT seats FROM boat WHERE name = 'Tern'", []],
  ["What is the average price?", "SELECT max(price) FROM boat", ["average_asked", "aggregate_unasked"]],
  ["What is the average price?", "SELECT avg(price) FROM boat", []],
  ["What is the price of Tern?", "SELECT avg(price) FROM boat WHERE name = 'Tern'", ["aggregate_unasked"]],
  [
    "What is the total price of ferries?",
    "SELECT count(price) FROM boat WHERE kind = 'Ferry'",
    ["sum_asked"],
  ],
  ["What is the lowest price?", "SELECT max(price) FROM boat", ["other_extreme"]],
  [
    "What are minimum and maximum price?",
    "SELECT min(price), avg(price) FROM boat",
    ["extreme_missing", "aggregate_unasked"],
  ],
  [
    "What are minimum and maximum price?",
    "SELECT min(price), min(price) FROM boat",
    ["repeated_result", "extreme_missing"],
  ],
  ["How many owners are there?", "SELECT sum(DISTINCT owner_id) FROM boat", ["sum_of_keys"]],
  ["Who owns Tern?", "SELECT owner_id FROM boat WHERE name = 'Tern'", ["key_shown"]],
  ["What is the owner id of Tern?", "SELECT owner_id FROM boat WHERE name = 'Tern'", []],
])("%s %s: %j", async (question, gold, kinds) => {
  expect(await kindsOf(resultShape, question, gold)).toEqual(kinds);
});
