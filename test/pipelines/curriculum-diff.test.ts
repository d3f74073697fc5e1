import { describe, expect, it } from "vitest";
import { changeOf, comparePlaces, diffCurricula, placeName } from "../../pipelines/curriculum-diff.ts";
import type { Place } from "../../pipelines/curriculum-places.ts";

function kept(level: number, c: number, split: "train" | "validation" = "train"): Place {
  const identity = { dataset: "spider/dev", sourceId: "1", databaseId: "club" };
  return { ...identity, bucket: "kept", message: "", split, level, n: 5, c };
}

function dropped(bucket: string, c: number, message = ""): Place {
  return { ...kept(0, c), bucket, message, split: null, level: null };
}

describe("changeOf", () => {
  it.each([
    [kept(0, 4), kept(0, 3), "same"],
    [kept(1, 3), kept(0, 4), "earlier"],
    [kept(0, 4), kept(2, 1), "later"],
    [kept(0, 4), kept(0, 4, "validation"), "split"],
    [kept(0, 4), dropped("trivial", 5), "left"],
    [dropped("intractable", 0), kept(2, 1), "came_back"],
    [dropped("trivial", 5), dropped("trivial", 5), "same"],
    [dropped("trivial", 5), dropped("intractable", 0), "dropped_otherwise"],
    [null, kept(0, 4), "new"],
    [dropped("trivial", 5), null, "gone"],
  ] as const)("%j, then %j: %s", (before, after, change) => {
    expect(changeOf(before, after)).toBe(change);
  });
});

it("names places, levels from 1", () => {
  expect([kept(0, 1), kept(2, 1, "validation"), dropped("gold_error", 0), null].map(placeName)).toEqual([
    "level 1",
    "validation level 3",
    "gold_error",
    "not in the run",
  ]);
});

it("orders places: levels, those of validation, trivial, intractable, the rest, absent", () => {
  const places = [
    "not in the run",
    "gold_error",
    "intractable",
    "trivial",
    "validation level 1",
    "level 10",
    "level 2",
  ];
  expect([...places].sort(comparePlaces)).toEqual([...places].reverse().sort((a, b) => comparePlaces(a, b)));
  expect([...places].sort(comparePlaces)).toEqual([
    "level 2",
    "level 10",
    "validation level 1",
    "trivial",
    "intractable",
    "gold_error",
    "not in the run",
  ]);
});

it("counts every question of either run once, and tells what moved and why", () => {
  const before = new Map([
    ["a", kept(0, 4)],
    ["b", kept(1, 3)],
    ["c", dropped("intractable", 0)],
    ["d", dropped("gold_error", 0, "no such table: x")],
    ["e", dropped("trivial", 5)],
  ]);
  const after = new Map([
    ["a", kept(0, 4)],
    ["b", dropped("trivial", 5)],
    ["c", kept(1, 1)],
    ["d", kept(1, 2)],
    ["f", kept(0, 4)],
  ]);
  const diff = diffCurricula(before, after);
  expect(diff).toMatchObject({
    questions: { before: 5, after: 5, both: 4 },
    kept: { before: 2, after: 4 },
    changes: {
      same: 1,
      left: 1,
      came_back: 2,
      new: 1,
      gone: 1,
      earlier: 0,
      later: 0,
      split: 0,
      dropped_otherwise: 0,
    },
  });
  expect(diff.movement).toEqual([
    { before: "level 1", after: "level 1", questions: 1 },
    { before: "level 2", after: "trivial", questions: 1 },
    { before: "trivial", after: "not in the run", questions: 1 },
    { before: "intractable", after: "level 2", questions: 1 },
    { before: "gold_error", after: "level 2", questions: 1 },
    { before: "not in the run", after: "level 1", questions: 1 },
  ]);
  expect(diff.buckets).toContainEqual({ before: "kept", after: "kept", questions: 1 });
  expect(diff.moved.map(({ exampleId, change, why }) => [exampleId, change, why])).toEqual([
    ["b", "left", "3 of 5 right; now 5 of 5 right"],
    ["c", "came_back", "0 of 5 right; now 1 of 5 right"],
    ["d", "came_back", "gold error: no such table: x; now 2 of 5 right"],
    ["f", "new", "not in the run; now 4 of 5 right"],
    ["e", "gone", "5 of 5 right; now not in the run"],
  ]);
});
