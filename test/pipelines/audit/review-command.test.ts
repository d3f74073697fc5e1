import { Command } from "commander";
import { expect, it } from "vitest";
import {
  authorOf,
  openReview,
  withDecisionOptions,
  withReviewOptions,
} from "../../../pipelines/audit/review-command.ts";
import { reviewPlace } from "./review-fixture.ts";

it("the options open the review that they name", async () => {
  const { options } = await reviewPlace();
  const command = withDecisionOptions(withReviewOptions(new Command("x").exitOverride()));
  command.parse(["node", "x", ...options, "--author", "ann"]);
  expect((await openReview(command.opts())).examples).toHaveLength(2);
  expect(authorOf(command.opts())).toMatchObject({ author: "ann" });
});

it("an author must be known and a time be one", () => {
  expect(authorOf({ author: "ann", time: "2026-01-31T12:00:00Z" })).toEqual({
    author: "ann",
    time: "2026-01-31T12:00:00Z",
  });
  expect(authorOf({ author: "ann" }).time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect(() => authorOf({ author: " " })).toThrow("no author is known");
  expect(() => authorOf({ author: "ann", time: "yesterday" })).toThrow('got "yesterday"');
});
