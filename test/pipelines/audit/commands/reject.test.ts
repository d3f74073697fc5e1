import { expect, it } from "vitest";
import { findingOf, reviewPlace } from "../review-fixture.ts";
import { runAudit } from "../run-audit.ts";

it("turns down a finding, all findings of a question, or a question's doubt without one", async () => {
  const example = (await (await reviewPlace()).open()).example("0");
  const place = await reviewPlace([findingOf(example), findingOf(example, { check: "join" })]);
  const reject = (...args: string[]) => runAudit("reject", ...args, ...place.options, "--author", "ann");
  expect(await reject("#2", "--reason", "fine")).toBe("rejected: spider dev 0 (join)\n");
  await reject("0");
  await reject("1");
  const lines = (await place.text("decisions.jsonl")).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { sourceId: "0", check: "join", decision: "rejected", reason: "" },
    { sourceId: "0", check: "missing-distinct", decision: "rejected" },
    { sourceId: "1", check: null, decision: "rejected" },
  ]);
  expect(await place.text("corrections.jsonl")).toBe("");
});
