import { expect, it } from "vitest";
import evidenceCondition from "../../../curation/checks/evidence-condition.ts";
import { kindsOf } from "../check-subject.ts";

it.each([
  ["large refers to seats > 50", "SELECT name FROM boat WHERE seats > 50", []],
  ["large refers to seats > 50", "SELECT name FROM boat WHERE seats > 40", ["other_value"]],
  ["large refers to seats > 50", "SELECT name FROM boat WHERE seats >= 50", ["operator_differs"]],
  ["ferries refers to kind = 'Ferry'", "SELECT name FROM boat WHERE kind = 'Cutter'", ["other_value"]],
  ["ferries refers to kind = 'Ferry'", "SELECT name FROM boat WHERE seats > 1", ["value_missing"]],
  ["ferries refers to kind = 'Ferry'", "SELECT name FROM boat WHERE name = 'Ferry'", ["column_differs"]],
  ["who refers to owner_name", "SELECT city FROM owner", ["column_missing"]],
  ["nothing of columns", "SELECT city FROM owner", []],
])("%s, %s: %j", async (evidence, gold, kinds) => {
  expect(await kindsOf(evidenceCondition, "Which ones?", gold, evidence)).toEqual(kinds);
});

it("has nothing to compare without evidence", async () => {
  expect(await kindsOf(evidenceCondition, "Which ones?", "SELECT city FROM owner")).toEqual([]);
});
