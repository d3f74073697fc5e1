import { expect, it } from "vitest";
import { MeanCounter, NameCounter } from "../../curation/mean-counter.ts";

it("averages the numbers that are known", () => {
  const counter = new MeanCounter();
  expect([counter.count, counter.mean]).toEqual([0, null]);
  for (const value of [1, null, 3]) counter.add(value);
  expect([counter.count, counter.mean]).toEqual([2, 2]);
});

it("counts names, those of an order first", () => {
  const counter = new NameCounter();
  for (const name of ["b", "z", "a", "z"]) counter.add(name);
  counter.add("b", 2);
  expect(Object.entries(counter.record(["z", "y"]))).toEqual([
    ["z", 2],
    ["a", 1],
    ["b", 3],
  ]);
});
