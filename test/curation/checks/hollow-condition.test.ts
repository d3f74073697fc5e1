import { expect, it } from "vitest";
import hollowCondition from "../../../curation/checks/hollow-condition.ts";
import { kindsOf } from "../check-subject.ts";

it.each([
  ["SELECT name FROM boat WHERE price = NULL", ["null_comparison"]],
  ["SELECT name FROM boat WHERE kind = 'Ferry' AND kind = 'Cutter'", ["contradiction"]],
  ["SELECT name FROM boat WHERE kind = 'Ferry' OR kind = 'Ferry'", ["repeated"]],
  ["SELECT name FROM boat INTERSECT SELECT name FROM boat", ["repeated"]],
  ["SELECT name FROM boat WHERE kind = 'Ferry' OR kind = 'Cutter'", []],
  ["SELECT name FROM boat WHERE price IS NULL", []],
])("%s: %j", async (gold, kinds) => {
  expect(await kindsOf(hollowCondition, "Which boats?", gold)).toEqual(kinds);
});
