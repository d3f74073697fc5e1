import { describe, expect, it } from "vitest";
import { aggregateChanges } from "../../sql/aggregate-changes.ts";

describe("aggregateChanges", () => {
  it("pairs aggregates by argument, first those of one name", () => {
    expect(aggregateChanges(["count(t.a)"], ["max(t.a)", "count(distinct t.a)"])).toEqual([
      { argument: "t.a", gold: "count(t.a)", predicted: "count(distinct t.a)", isDistinctOnly: true },
    ]);
    expect(aggregateChanges(["avg(a)", "sum(a)"], ["max(a)", "min(a)"])).toEqual([
      { argument: "a", gold: "avg(a)", predicted: "max(a)", isDistinctOnly: false },
      { argument: "a", gold: "sum(a)", predicted: "min(a)", isDistinctOnly: false },
    ]);
  });

  it("leaves out those of other arguments", () => {
    expect(aggregateChanges(["count(*)"], ["count(a)"])).toEqual([]);
    expect(aggregateChanges([], ["count(a)"])).toEqual([]);
  });
});
