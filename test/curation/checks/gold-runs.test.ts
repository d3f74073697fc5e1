import { expect, it } from "vitest";
import goldRuns from "../../../curation/checks/gold-runs.ts";
import { failedReply, findingsOf, kindsOf } from "../check-subject.ts";

it("tells a name that the database lacks from any other error", async () => {
  const [found] = await findingsOf(goldRuns, {
    question: "Which captains?",
    gold: "SELECT captain FROM boat",
  });
  expect(found).toMatchObject({
    kind: "missing_name",
    severity: "error",
    evidence: { what: "column", name: "captain" },
  });
  expect(await kindsOf(goldRuns, "Which names?", "SELECT name FROM boat WHERE (seats > 3")).toEqual([
    "error",
  ]);
  expect(await kindsOf(goldRuns, "Which names?", "SELECT name FROM boat")).toEqual([]);
});

it("calls a statement that is refused no query", async () => {
  const execution = failedReply("denied", "A reading statement is accepted");
  const found = await findingsOf(goldRuns, { question: "Drop it", gold: "DROP TABLE boat", execution });
  expect(found.map(({ kind }) => kind)).toEqual(["not_a_query"]);
});
