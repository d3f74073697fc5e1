import { expect, it } from "vitest";
import { renderDecisions } from "../../../pipelines/audit/render-decision.ts";
import { bakeryCorrection } from "../../datasets/correction-fixtures.ts";
import { rejection } from "./review-fixture.ts";

it("decisions are told with what they change, on lines that nothing can break", () => {
  const corrections = [bakeryCorrection({ before: null, after: "SELECT\n1" })];
  const decisions = [rejection(), rejection({ check: null, decision: "edited", corrections })];
  expect(renderDecisions(decisions, "fixes.jsonl")).toBe(
    [
      "rejected: spider dev 0 (missing-distinct)",
      "edited: spider dev 0",
      "  gold - (none)",
      String.raw`  gold + SELECT\n1`,
      "1 correction in fixes.jsonl",
    ].join("\n"),
  );
});
