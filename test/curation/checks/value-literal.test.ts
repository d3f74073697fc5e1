import { expect, it } from "vitest";
import valueLiteral from "../../../curation/checks/value-literal.ts";
import { findingsOf, kindsOf } from "../check-subject.ts";

it.each([
  ["SELECT name FROM boat WHERE kind = 'ferry'", ["other_spelling"]],
  ["SELECT name FROM boat WHERE kind = 'TugBoat'", ["other_spelling"]],
  ["SELECT name FROM boat WHERE kind = 'Cuter'", ["near_value"]],
  ["SELECT name FROM boat WHERE kind != 'Ferr'", ["near_value"]],
  ["SELECT name FROM boat WHERE kind = 'Tern'", ["other_column"]],
  ["SELECT name FROM boat WHERE kind = 'Submarine'", ["absent"]],
  ["SELECT name FROM boat WHERE kind = 3", ["number_for_text"]],
  ["SELECT name FROM boat WHERE kind IN ('Ferry', 'Cutter')", []],
  ["SELECT name FROM boat WHERE kind LIKE '%err%'", []],
  ["SELECT name FROM boat WHERE seats = 3", []],
  ["SELECT crew_name FROM crew WHERE crew_name = 'Dee'", []],
  ["SELECT day FROM crossing WHERE strftime('%m', day) = '1'", ["never_matches"]],
  ["SELECT day FROM crossing WHERE strftime('%m', day) = '01'", []],
])("%s: %j", async (gold, kinds) => {
  expect(await kindsOf(valueLiteral, "Which boats?", gold)).toEqual(kinds);
});

it("suggests the gold with the value that is there", async () => {
  const [found] = await findingsOf(valueLiteral, {
    question: "Which ferries?",
    gold: "SELECT name FROM boat WHERE kind = 'ferry' AND seats > 2",
  });
  expect(found).toMatchObject({
    evidence: { literal: "ferry", column: "boat.kind", near: "Ferry" },
    suggestion: { field: "gold", after: "SELECT name FROM boat WHERE kind = 'Ferry' AND seats > 2" },
  });
});
