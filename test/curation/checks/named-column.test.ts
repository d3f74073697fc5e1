import { expect, it } from "vitest";
import namedColumn from "../../../curation/checks/named-column.ts";
import { kindsOf } from "../check-subject.ts";

it.each([
  ["Show the kind of every boat.", "SELECT built FROM boat", ["other_result"]],
  ["Show the kind of every boat.", "SELECT kind FROM boat", []],
  [
    "Show the names of boats with the most seats.",
    "SELECT name FROM boat ORDER BY price DESC LIMIT 1",
    ["other_order"],
  ],
  ["How many ports are there?", "SELECT count(*) FROM boat", ["other_table"]],
  ["How many ports are there?", "SELECT count(*) FROM port", []],
])("%s %s: %j", async (question, gold, kinds) => {
  expect(await kindsOf(namedColumn, question, gold)).toEqual(kinds);
});
