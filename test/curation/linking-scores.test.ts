import { describe, expect, it } from "vitest";
import { linkingScores } from "../../curation/linking-scores.ts";

/** Items written `table` and `table.column`. */
function items(...names: readonly string[]) {
  return {
    tables: names.filter((name) => !name.includes(".")),
    columns: names.flatMap((name) => {
      const [table = "", column] = name.split(".");
      return column === undefined ? [] : [{ table, column }];
    }),
  };
}

describe("linkingScores", () => {
  it.each([
    {
      gold: ["t", "t.a"],
      linked: ["t", "t.a"],
      precision: 1,
      recall: 1,
      f1: 1,
      isComplete: true,
      isExact: true,
    },
    {
      gold: ["t", "t.a"],
      linked: ["t", "t.b"],
      precision: 0.5,
      recall: 0.5,
      f1: 0.5,
      isComplete: false,
      isExact: false,
    },
    {
      gold: ["t"],
      linked: ["t", "t.a", "t.b"],
      precision: 1 / 3,
      recall: 1,
      f1: 0.5,
      isComplete: true,
      isExact: false,
    },
    {
      gold: ["t", "t.a", "u"],
      linked: ["t"],
      precision: 1,
      recall: 1 / 3,
      f1: 0.5,
      isComplete: false,
      isExact: false,
    },
    { gold: [], linked: [], precision: 1, recall: 1, f1: 1, isComplete: true, isExact: true },
    { gold: [], linked: ["t"], precision: 0, recall: 1, f1: 0, isComplete: true, isExact: false },
    { gold: ["t"], linked: [], precision: 1, recall: 0, f1: 0, isComplete: false, isExact: false },
    {
      gold: ["T", "T.A"],
      linked: ["t", "t.a", "t.a"],
      precision: 1,
      recall: 1,
      f1: 1,
      isComplete: true,
      isExact: true,
    },
    { gold: ["t", "t.a"], linked: ["t.a"], precision: 1, recall: 1, f1: 1, isComplete: true, isExact: true },
  ])("$gold against $linked", ({ gold, linked, ...expected }) => {
    expect(linkingScores(items(...gold), items(...linked))).toEqual(expected);
  });
});
