import { describe, expect, it } from "vitest";
import { bindColumns } from "../../curation/rex-columns.ts";

const schema = {
  databaseId: "schools",
  tables: [
    {
      name: "frpm",
      comment: "",
      columns: [{ name: "Free Meal Count (K-12)", type: "REAL", comment: "", primaryKey: 0 }],
    },
  ],
  foreignKeys: [],
};

describe("bindColumns", () => {
  it.each<[string, string[], string[], number[], number[]]>([
    ["names that both have", ["a", "b", "c"], ["c", "x", "a"], [1, 0, 2], [2, 0, 1]],
    ["names in other letters", ["Name", "É"], ["é", "NAME"], [1, 0], [0, 1]],
    ["a name that is twice there", ["name", "name", "a"], ["name", "a", "b"], [0, 0, 1], [0, 1, 0]],
    ["a name that is twice there on both sides", ["name", "name"], ["name", "name"], [0, 0], [0, 0]],
    [
      "unnamed expressions",
      ["count(*)", "1", "'a'", "T1.a"],
      ["count(*)", "1", "'a'", "T1.a"],
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ],
    [
      "a name of the schema that reads as an expression",
      ["Free Meal Count (K-12)", "a"],
      ["b", "free meal count (k-12)"],
      [1, 0],
      [0, 1],
    ],
    ["no columns", [], [], [], []],
  ])("binds %s", (...[, goldNames, predictedNames, gold, predicted]) => {
    expect(bindColumns(goldNames, predictedNames, schema)).toEqual({ gold, predicted });
  });
});
