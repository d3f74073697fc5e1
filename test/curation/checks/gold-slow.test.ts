import { expect, it } from "vitest";
import goldSlow from "../../../curation/checks/gold-slow.ts";
import { failedReply, findingsOf } from "../check-subject.ts";

it.each(["timeout", "too_large", "crashed"] as const)("tells of a gold that ends as %s", async (status) => {
  const execution = failedReply(status, "over its limit");
  const found = await findingsOf(goldSlow, {
    question: "All pairs?",
    gold: "SELECT 1 FROM boat, boat AS b",
    execution,
  });
  expect(found.map(({ kind, message }) => [kind, message])).toEqual([
    [status, `its gold ends as ${status}: over its limit`],
  ]);
});

it("has nothing against a gold that ends", async () => {
  expect(await findingsOf(goldSlow, { question: "Names?", gold: "SELECT name FROM boat" })).toEqual([]);
});
