import { describe, expect, it } from "vitest";
import { rvesReward } from "../../curation/r-ves.ts";

/** Two rounds: the ratios `first` and `second`, predictions taking one unit. */
const rewardOf = (first: number, second: number): number => rvesReward([first, second], [1, 1], true);

describe("rvesReward", () => {
  it.each([
    [1.5, 2.5, 1.25],
    [1.5, 2.25, 1],
    [0.5, 1.5, 1],
    [0.25, 1.5, 0.75],
    [0.25, 0.75, 0.75],
    [0.25, 0.5, 0.5],
    [0.125, 0.375, 0.5],
    [0.125, 0.25, 0.25],
  ])("goes by the mean ratio of %f and %f", (first, second, expected) => {
    expect(rewardOf(first, second)).toBe(expected);
  });

  it("drops a round three deviations from the mean", () => {
    // 19 rounds of 0.4 and 0.6 and one of 100: with it the mean is over 5, without it under 0.51.
    const golds = Array.from({ length: 20 }, (_, round) => (round === 7 ? 100 : round % 2 === 0 ? 0.4 : 0.6));
    const ones = golds.map(() => 1);
    expect(rvesReward(golds, ones, true)).toBe(0.75);
  });

  it("is 0 where the results differ, and where no round is left", () => {
    expect(rvesReward([1, 2], [1, 1], false)).toBe(0);
    expect(rvesReward([], [], true)).toBe(0);
    expect(rvesReward([2], [1], true)).toBe(0);
    expect(rewardOf(2, 2)).toBe(0);
    expect(rvesReward([1, 1], [0, 0], true)).toBe(0);
  });

  it("adds as numpy does, on which the last bit of a mean depends", () => {
    // The mean of a hundred times 0.1 is 0.1 when added in lanes, so that no round is left; one by one it is not.
    const tenths = Array.from({ length: 100 }, () => 0.1);
    const ones = tenths.map(() => 1);
    expect(tenths.reduce((sum, value) => sum + value, 0) / 100).not.toBe(0.1);
    expect(rvesReward(tenths, ones, true)).toBe(NUMPY_TENTHS);
  });

  it("refuses times that are none", () => {
    for (const [golds, predictions] of [
      [[1], [1, 2]],
      [[-1], [1]],
      [[Number.NaN], [1]],
      [[1], [Number.POSITIVE_INFINITY]],
    ] as const) {
      expect(() => rvesReward(golds, predictions, true)).toThrowError(/expected equally many/);
    }
  });
});
