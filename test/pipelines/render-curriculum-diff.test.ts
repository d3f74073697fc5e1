import { expect, it } from "vitest";
import { diffCurricula } from "../../pipelines/curriculum-diff.ts";
import type { Place } from "../../pipelines/curriculum-places.ts";
import { renderCurriculumDiff } from "../../pipelines/render-curriculum-diff.ts";

function place(sourceId: string, parts: Partial<Place>): Place {
  const kept = { bucket: "kept", message: "", split: "train", level: 0, n: 4, c: 2 } as const;
  return { dataset: "spider/dev", databaseId: "club", sourceId, ...kept, ...parts };
}
const trivial = { bucket: "trivial", split: null, level: null, c: 4 } as const;

it("shows a table whose sums are right, and what left and came", () => {
  const before = new Map([
    ["a", place("1", {})],
    ["b", place("2", { level: 1 })],
    ["c", place("3", trivial)],
  ]);
  const after = new Map([
    ["a", place("1", {})],
    ["b", place("2", trivial)],
    ["c", place("3", { c: 3 })],
  ]);
  const notes = ["seed differs: 1, now 2"];
  const text = renderCurriculumDiff(diffCurricula(before, after), { before: "one", after: "two", notes });
  expect(text.split("\n")).toEqual([
    "one: 3 questions, 2 kept",
    "two: 3 questions, 2 kept",
    "",
    "note: seed differs: 1, now 2",
    "",
    "before \\ after  level 1  trivial  all",
    "level 1               1        .    1",
    "level 2               .        1    1",
    "trivial               1        .    1",
    "all                   2        1    3",
    "",
    "     1  stayed where they were",
    "     1  left the curriculum",
    "     1  came into the curriculum",
    "",
    "1 left the curriculum:",
    "  spider/dev 2 (club)  level 2 -> trivial: 2 of 4 right; now 4 of 4 right",
    "",
    "1 came into the curriculum:",
    "  spider/dev 3 (club)  trivial -> level 1: 4 of 4 right; now 3 of 4 right",
  ]);
});

it("shows the first few of many", () => {
  const before = new Map(Array.from({ length: 10 }, (_, index) => [`${index}`, place(`${index}`, {})]));
  const text = renderCurriculumDiff(diffCurricula(before, new Map()), { before: "a", after: "b", notes: [] });
  expect(text).toContain("10 are in the run before alone:");
  expect(text).toContain("and 2 more: --json has them all");
});
