import { expect, it } from "vitest";
import { findingOf, reviewPlace } from "../review-fixture.ts";
import { runAudit } from "../run-audit.ts";

const AUTHOR = ["--author", "ann", "--time", "2026-01-31T12:00:00Z"];

it("writes the decision and the correction that the finding suggests", async () => {
  const example = (await (await reviewPlace()).open()).example("0");
  const place = await reviewPlace([
    findingOf(example),
    findingOf(example, { check: "mute", suggestion: null }),
    findingOf(example, { check: "join" }),
  ]);
  const accept = (...args: string[]) => runAudit("accept", ...args, ...place.options, ...AUTHOR);
  await expect(accept("0")).rejects.toMatchObject({ code: "FINDING_AMBIGUOUS" });
  await expect(accept("#2")).rejects.toMatchObject({ code: "FINDING_WITHOUT_SUGGESTION" });
  await expect(accept("5")).rejects.toThrow("there is no such finding");
  expect(await accept("0", "--check", "missing-distinct")).toContain("1 correction in ");
  expect(JSON.parse(await place.text("decisions.jsonl"))).toMatchObject({
    decision: "accepted",
    check: "missing-distinct",
  });
  expect(JSON.parse(await place.text("corrections.jsonl"))).toEqual({
    dataset: "spider",
    split: "dev",
    sourceId: "0",
    field: "gold",
    before: "SELECT count(*) FROM loaf",
    after: "SELECT count(DISTINCT name) FROM loaf",
    kind: "distinct",
    reason: "two loaves share a name",
    author: "ann",
    time: "2026-01-31T12:00:00Z",
  });
});
