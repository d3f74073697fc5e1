import { expect, it } from "vitest";
import undeterminedAnswer from "../../../curation/checks/undetermined-answer.ts";
import { findingsOf } from "../check-subject.ts";

it("takes over the reasons of the grading modes, and leaves out those that it does not know", async () => {
  const undetermined = [
    { kind: "null_first", message: "NULL is sorted first" },
    { kind: "of_another_version", message: "unheard of" },
  ];
  const found = await findingsOf(undeterminedAnswer, {
    question: "Cheapest?",
    gold: "SELECT name FROM boat ORDER BY price LIMIT 1",
    undetermined,
  });
  expect(found.map(({ kind, message }) => [kind, message])).toEqual([["null_first", "NULL is sorted first"]]);
});
