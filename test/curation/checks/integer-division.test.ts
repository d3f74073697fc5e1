import { expect, it } from "vitest";
import integerDivision from "../../../curation/checks/integer-division.ts";
import { findingsOf, kindsOf } from "../check-subject.ts";

it("finds a fraction that is lost, and what the division would give", async () => {
  const gold = "SELECT count(*) * 100 / 3 FROM boat";
  const [found] = await findingsOf(integerDivision, { question: "How many percent?", gold });
  expect(found).toMatchObject({
    kind: "fraction_lost",
    evidence: { rows: [[133]], divisions: ["count(*) * 100 / 3"] },
    suggestion: { field: "gold", after: "SELECT count(*) * 100 * 1.0 / 3 FROM boat" },
  });
});

it.each([
  "SELECT count(*) / 2 FROM boat",
  "SELECT CAST(count(*) AS REAL) * 100 / 3 FROM boat",
  "SELECT count(*) * 100.0 / 3 FROM boat",
  "SELECT sum(price) / 3 FROM boat",
])("has nothing against %s", async (gold) => {
  expect(await kindsOf(integerDivision, "How many percent?", gold)).toEqual([]);
});
