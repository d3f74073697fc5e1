import path from "node:path";
import { expect, it } from "vitest";
import {
  decisionKey,
  overlayOf,
  readDecisions,
  withDecision,
  writeRows,
} from "../../../pipelines/audit/decision.ts";
import { bakeryCorrection } from "../../datasets/correction-fixtures.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { rejection } from "./review-fixture.ts";

it("a later decision of the same finding takes the place of the earlier one", () => {
  const [first, other] = [rejection(), rejection({ check: null })];
  const later = rejection({ reason: "once more" });
  expect(decisionKey(first)).toBe(decisionKey(later));
  expect(withDecision([first, other], later)).toEqual([later, other]);
  expect(withDecision([first], other)).toEqual([first, other]);
});

it("the overlay has the corrections of all decisions, with their lines", () => {
  const [one, two] = [bakeryCorrection(), bakeryCorrection({ sourceId: "1" })];
  const decisions = [rejection({ corrections: [one] }), rejection(), rejection({ corrections: [two] })];
  expect(overlayOf(decisions, "fixes.jsonl")).toEqual([
    { correction: one, file: "fixes.jsonl", line: 1 },
    { correction: two, file: "fixes.jsonl", line: 2 },
  ]);
});

it("decisions are written and read back; a file that is not there has none", async () => {
  const folder = await temporaryFolder({ "bad.jsonl": '{"decision":"maybe"}\n' });
  const file = path.join(folder, "decisions.jsonl");
  expect(await readDecisions(file)).toEqual([]);
  const decisions = [
    rejection({ reason: "a\nb" }),
    rejection({ check: null, corrections: [bakeryCorrection()] }),
  ];
  await writeRows(file, decisions);
  expect(await readDecisions(file)).toEqual(decisions);
  await expect(readDecisions(path.join(folder, "bad.jsonl"))).rejects.toMatchObject({
    code: "DECISION_MALFORMED",
    site: { line: 1 },
  });
});
