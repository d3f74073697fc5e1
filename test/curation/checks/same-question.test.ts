import { expect, it } from "vitest";
import sameQuestion from "../../../curation/checks/same-question.ts";
import { findingsOf, runOnHarbour } from "../check-subject.ts";

const GOLD = "SELECT count(*) FROM boat";
const [same, other] = [runOnHarbour(GOLD), runOnHarbour("SELECT count(*) FROM port")].map(
  ({ execution }) => execution.digest,
) as [string, string];

it("tells of another example with another result, and of one that is the same", async () => {
  const question = "How many boats are there?";
  const asked = (digest: string) =>
    findingsOf(sameQuestion, { question, gold: GOLD, sameQuestion: [{ sourceId: "9", gold: "x", digest }] });
  expect((await asked(other)).map(({ kind, evidence }) => [kind, evidence["others"]])).toEqual([
    ["other_answer", ["9"]],
  ]);
  expect((await asked(same)).map(({ kind }) => kind)).toEqual(["repeated"]);
  expect(await asked("")).toEqual([]);
});
