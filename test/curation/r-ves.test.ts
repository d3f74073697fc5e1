import { describe, expect, it } from "vitest";
import { R_VES_ROUNDS, rvesRatio, rvesReward } from "../../curation/r-ves.ts";

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
    // One round of 100 among 9 of 0.4 and 10 of 0.6: with it the mean is over 5, without it 0.505.
    const golds = Array.from({ length: 20 }, (_, round) => (round === 8 ? 100 : round % 2 === 0 ? 0.4 : 0.6));
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

  it.each([
    // With numpy 0.1 * 8 / 8 is 0.1 and no round is left, while 0.1 * 20 / 20 is not.
    [0.1, 8, 0],
    [0.1, 20, 0.25],
    [0.3, 10, 0.5],
    [0.3, 100, 0],
    [0.7, 128, 0.75],
    [0.7, 200, 0],
    [0.7, 300, 0.75],
  ])("adds as numpy does: %f in %i rounds", (ratio, rounds, expected) => {
    const golds = Array.from({ length: rounds }, () => ratio);
    const ones = golds.map(() => 1);
    expect(rvesReward(golds, ones, true)).toBe(expected);
  });

  it("gives the ratio that earns the reward, where a round is left", () => {
    expect(R_VES_ROUNDS).toBe(100);
    expect(rvesRatio([1, 4], [1, 2])).toBe(1.5);
    expect(rvesRatio([2, 2], [1, 1])).toBeNull();
    expect(rvesRatio([], [])).toBeNull();
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
