import { describe, expect, it } from "vitest";
import type { AggregateRow } from "../../curation/aggregate.ts";
import { groupAccuracies } from "../../pipelines/evaluation-document.ts";

function row(parts: Partial<AggregateRow>): AggregateRow {
  return {
    group: "all",
    system: "student#0",
    model: { name: "student", revision: "" },
    setting: "single-turn",
    round: 0,
    sampleIndex: 0,
    metric: "bird-ex",
    n: 100,
    mean: 0.5,
    standardError: 0.05,
    low: 0.4,
    high: 0.6,
    unscored: 0,
    unexecutable: 0,
    missing: 0,
    ...parts,
  };
}

describe("groupAccuracies", () => {
  it("takes the mean and the deviation over runs, and Wilson's interval of the mean over questions", () => {
    const [all] = groupAccuracies([
      row({ mean: 0.4, unscored: 1 }),
      row({ sampleIndex: 1, mean: 0.5, unexecutable: 2 }),
      row({ sampleIndex: 2, mean: 0.6, n: 99, missing: 1 }),
    ]);
    expect(all).toMatchObject({
      group: "all",
      n: 100,
      runs: [0.4, 0.5, 0.6],
      unscored: 1,
      unexecutable: 2,
      missing: 1,
    });
    expect(all?.mean).toBeCloseTo(0.5);
    // The square root of ((0.1)^2 + 0 + (0.1)^2) / 2.
    expect(all?.standardDeviation).toBeCloseTo(0.1);
    expect(all?.low).toBeCloseTo(0.4038, 4);
    expect(all?.high).toBeCloseTo(0.5962, 4);
  });

  it("has no deviation of one run, and nothing of none that is scored", () => {
    const rows = [
      row({}),
      row({ group: "turn:1", n: 0, mean: null, low: null, high: null, unexecutable: 3 }),
    ];
    expect(groupAccuracies(rows)).toMatchObject([
      { group: "all", standardDeviation: null },
      { group: "turn:1", runs: [null], mean: null, low: null, unexecutable: 3 },
    ]);
  });

  it("has no interval where scores leave 0 to 1", () => {
    expect(groupAccuracies([row({ mean: 1.2, low: null, high: null })])[0]).toMatchObject({
      mean: 1.2,
      low: null,
    });
  });
});
