import { describe, expect, it } from "vitest";
import type { CurriculumItem } from "../../../core/curriculum.ts";
import { SeededRandom } from "../../../core/random.ts";
import sqlTrailSets from "../../../curation/curricula/sql-trail-sets.ts";

function item(exampleId: string, c: number, parts: Partial<CurriculumItem> = {}): CurriculumItem {
  return { exampleId, position: 0, hardness: "easy", n: 6, c, dataset: "spider", taught: false, ...parts };
}

function setsOf(given: readonly CurriculumItem[], options: object): { sets: string[][]; out: string[] } {
  const items = given.map((one, position) => ({ ...one, position }));
  const parsed: unknown = sqlTrailSets.options.parse(options);
  const left = sqlTrailSets.leavesOut?.(items, parsed) ?? new Map<string, string>();
  const rest = items.filter(({ exampleId }) => !left.has(exampleId));
  const places = sqlTrailSets.order(rest, 3, new SeededRandom(1, "x"), parsed);
  const sets = [0, 1].map((level) =>
    places
      .filter((place) => place.level === level)
      .map(({ exampleId }) => exampleId)
      .sort(),
  );
  return { sets, out: [...left.keys()].sort() };
}

describe("the balanced set", () => {
  it("takes the nearest to half right, as many of each hardness as there are", () => {
    const items = [
      item("easy 3", 3),
      item("easy 4", 4),
      item("easy 1", 1),
      item("hard 1", 1, { hardness: "hard" }),
      item("extra 5", 5, { hardness: "extra" }),
      item("always", 6),
      item("never", 0),
    ];
    const none = { taught: 0, synthetic: 0, extraHard: 0 };
    expect(setsOf(items, { balanced: 3, ...none }).sets).toEqual([["easy 3", "extra 5", "hard 1"], []]);
    expect(setsOf(items, { balanced: 4, ...none }).sets[0]).toEqual([
      "easy 3",
      "easy 4",
      "extra 5",
      "hard 1",
    ]);
    expect(setsOf(items, { balanced: 2, ...none })).toEqual({
      sets: [["easy 3", "hard 1"], []],
      out: ["always", "easy 1", "easy 4", "extra 5", "never"],
    });
  });

  it("does not mind whether a question was taught", () => {
    expect(setsOf([item("a", 3, { taught: true })], {}).sets).toEqual([["a"], []]);
  });
});

describe("exploration", () => {
  it("takes from its three sources what no sample gets right, each once", () => {
    const items = [
      item("taught 1", 0, { taught: true, hardness: "extra" }),
      item("taught 2", 0, { taught: true }),
      item("synthetic 1", 0, { dataset: "synsql", hardness: "extra" }),
      item("synthetic 2", 0, { dataset: "synsql" }),
      item("extra 1", 0, { hardness: "extra" }),
      item("extra 2", 0, { hardness: "extra" }),
      item("plain", 0),
      item("unscored", 0, { n: 0, hardness: "extra" }),
    ];
    expect(setsOf(items, { taught: 1, synthetic: 1, extraHard: 2 })).toEqual({
      sets: [[], ["extra 1", "extra 2", "synthetic 1", "taught 1"]],
      out: ["plain", "synthetic 2", "taught 2", "unscored"],
    });
  });

  it("gives what it has", () => {
    expect(setsOf([item("a", 0)], {})).toEqual({ sets: [[], []], out: ["a"] });
  });
});

it("has the paper's sizes", () => {
  expect(sqlTrailSets.options.parse({})).toMatchObject({
    balanced: 700,
    taught: 127,
    synthetic: 100,
    extraHard: 100,
  });
});
