import { expect, it } from "vitest";
import distinctRows from "../../../curation/checks/distinct-rows.ts";
import { findingsOf, kindsOf } from "../check-subject.ts";

it.each([
  ["Which different kinds of boats are there?", "SELECT kind FROM boat", ["distinct_asked"]],
  ["Which different kinds of boats are there?", "SELECT DISTINCT kind FROM boat", []],
  ["How many different kinds are there?", "SELECT count(kind) FROM boat", ["count_distinct_asked"]],
  ["How many different boats are there?", "SELECT count(name) FROM boat", []],
  ["How many kinds are there?", "SELECT count(kind) FROM boat", []],
  ["List the kinds of boats.", "SELECT DISTINCT kind FROM boat", ["needless_distinct"]],
  ["List the kinds of boats.", "SELECT kind FROM boat", []],
  [
    "Which boats crossed?",
    "SELECT T1.name FROM boat AS T1 JOIN crossing AS T2 ON T1.boat_id = T2.boat_id",
    ["joined_duplicates"],
  ],
])("%s %s: %j", async (question, gold, kinds) => {
  expect(await kindsOf(distinctRows, question, gold)).toEqual(kinds);
});

it("suggests the DISTINCT that is missing", async () => {
  const [found] = await findingsOf(distinctRows, {
    question: "How many unique kinds are there?",
    gold: "SELECT count(kind) FROM boat",
  });
  expect(found?.suggestion).toEqual({ field: "gold", after: "SELECT count(DISTINCT kind) FROM boat" });
});
