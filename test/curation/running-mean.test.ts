import { describe, expect, it } from "vitest";
import { RunningMean } from "../../curation/running-mean.ts";

function meanOf(scores: readonly number[]) {
  const mean = new RunningMean();
  for (const score of scores) mean.add(score);
  return mean.figures();
}

describe("RunningMean", () => {
  it("gives the standard error of right and wrong answers", () => {
    // 3 of 4 right: sqrt(0.75 * 0.25 / 4)
    const figures = meanOf([1, 0, 1, 1]);
    expect(figures).toMatchObject({ n: 4, mean: 0.75 });
    expect(figures.standardError).toBeCloseTo(0.2165064, 7);
    // Wilson by hand: centre (0.75 + 3.841459/8) / (1 + 3.841459/4), half width 0.3247
    expect(figures.low).toBeCloseTo(0.3006, 4);
    expect(figures.high).toBeCloseTo(0.9544, 4);
  });

  it("gives the spread of graded scores", () => {
    // mean 0.5, variance (0.25 + 0 + 0.25) / 3, by 3
    expect(meanOf([0, 0.5, 1]).standardError).toBeCloseTo(Math.sqrt(1 / 18), 12);
  });

  it("has no interval for scores above 1 and nothing without scores", () => {
    expect(meanOf([1.25, 0.5])).toMatchObject({ n: 2, mean: 0.875, low: null, high: null });
    expect(meanOf([])).toEqual({ n: 0, mean: null, standardError: null, low: null, high: null });
  });
});
