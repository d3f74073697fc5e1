import { expect, it } from "vitest";
import valueUnused from "../../../curation/checks/value-unused.ts";
import { kindsOf } from "../check-subject.ts";

it.each([
  [
    "Which boats of Ann Miller have more than 3 seats?",
    "SELECT T1.name FROM boat AS T1 JOIN owner AS T2 ON T1.owner_id = T2.owner_id WHERE T1.seats > 3",
    ["value_unused"],
  ],
  [
    "Which boats of Ann Miller are there?",
    "SELECT T1.name FROM boat AS T1 JOIN owner AS T2 ON T1.owner_id = T2.owner_id WHERE T2.owner_name = 'Ann Miller'",
    [],
  ],
  [
    "Which boats belong to Zoe?",
    "SELECT T1.name FROM boat AS T1 JOIN owner AS T2 ON T1.owner_id = T2.owner_id",
    [],
  ],
  ["Ferry names?", "SELECT name FROM boat", []],
])("%s %s: %j", async (question, gold, kinds) => {
  expect(await kindsOf(valueUnused, question, gold)).toEqual(kinds);
});
