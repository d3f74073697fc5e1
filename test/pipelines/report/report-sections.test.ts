import { expect, it } from "vitest";
import { cellParts, isNumberCell, numberAt } from "../../../pipelines/report/report-sections.ts";

it("points at a number by its names", () => {
  expect(numberAt({ "a/b": [{ "~": 5 }] }, ["a/b", 0, "~"], "count")).toEqual({
    at: "/a~1b/0/~0",
    value: 5,
    form: "count",
  });
  expect(numberAt({ a: null }, ["a", "b"], "count").value).toBeNull();
});

it("tells a number from words", () => {
  const number = numberAt({ a: 1 }, ["a"], "count");
  expect([isNumberCell(number), isNumberCell("1"), isNumberCell(["a", number])]).toEqual([
    true,
    false,
    false,
  ]);
  expect([cellParts("a"), cellParts(number), cellParts(["a", number])]).toEqual([
    ["a"],
    [number],
    ["a", number],
  ]);
});
