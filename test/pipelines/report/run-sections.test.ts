import { expect, it } from "vitest";
import { isNumberCell } from "../../../pipelines/report/report-sections.ts";
import {
  curriculumSection,
  funnelSection,
  rewardsSection,
  roundsSection,
  spelled,
} from "../../../pipelines/report/run-sections.ts";
import { DOCUMENT } from "./sample-document.ts";

const EMPTY = { ...DOCUMENT, funnel: [], curriculum: null, rounds: null, rewards: [] };

it.each([
  [funnelSection, ["Where questions and answers went"]],
  [curriculumSection, ["Questions by level"]],
  [roundsSection, ["Questions covered, round by round", "From round 0 to round 1"]],
  [rewardsSection, ["Rewards of rewards", "Terms of rewards"]],
])("has figures for what there is, and is null for nothing: %o", (section, titles) => {
  expect(section(DOCUMENT)?.figures.map(({ title }) => title)).toEqual(titles);
  expect(section(EMPTY)).toBeNull();
});

it("points each number at its place", () => {
  const rows = funnelSection(DOCUMENT)?.figures[0]?.table.rows ?? [];
  expect(rows[1]?.filter(isNumberCell).map(({ at, value }) => [at, value])).toEqual([
    ["/funnel/1/count", 1],
    ["/funnel/1/share", 0.25],
  ]);
  expect(spelled("gold_error")).toBe("gold error");
});
