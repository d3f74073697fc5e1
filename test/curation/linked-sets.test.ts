import { expect, it } from "vitest";
import { linkedSets, setF1, sharedCount } from "../../curation/linked-sets.ts";

it("names count once, in any case", () => {
  const { tables, columns, items } = linkedSets([
    { table: "Singer", columns: ["Name", "name"] },
    { table: "singer", columns: ["age"] },
  ]);
  expect([tables.size, columns.size, items.size]).toEqual([1, 2, 3]);
});

it("a table and a column of one name are two items", () => {
  expect(linkedSets([{ table: "name", columns: ["name"] }]).items.size).toBe(2);
});

it("F1 of sets: two empty ones agree, one alone does not", () => {
  const empty = new Set<string>();
  expect(setF1(empty, empty)).toBe(1);
  expect(setF1(empty, new Set(["a"]))).toBe(0);
  expect(setF1(new Set(["a", "b"]), new Set(["b", "c"]))).toBe(0.5);
  expect(sharedCount(new Set(["a", "b"]), new Set(["b", "c"]))).toBe(1);
});
