import { expect, it } from "vitest";
import countElseZero from "../../../curation/checks/count-else-zero.ts";
import { findingsOf, kindsOf } from "../check-subject.ts";

it("finds a COUNT that counts zeros", async () => {
  const gold = "SELECT COUNT(CASE WHEN kind = 'Ferry' THEN 1 ELSE 0 END) FROM boat";
  const [found] = await findingsOf(countElseZero, { question: "How many ferries?", gold });
  expect(found?.suggestion?.after).toBe("SELECT SUM(CASE WHEN kind = 'Ferry' THEN 1 ELSE 0 END) FROM boat");
});

it.each([
  "SELECT COUNT(CASE WHEN kind = 'Ferry' THEN 1 ELSE NULL END) FROM boat",
  "SELECT COUNT(CASE WHEN kind = 'Ferry' THEN 1 END) FROM boat",
  "SELECT SUM(CASE WHEN kind = 'Ferry' THEN 1 ELSE 0 END) FROM boat",
])("has nothing against %s", async (gold) => {
  expect(await kindsOf(countElseZero, "How many ferries?", gold)).toEqual([]);
});
