import { expect, it } from "vitest";
import { bootstrapInterval, resamplesOf } from "../../curation/bootstrap.ts";

it("has no interval of nothing, and a point of equal values", () => {
  expect(bootstrapInterval([], 1)).toBeNull();
  expect(bootstrapInterval([0.5, 0.5, 0.5], 1)).toEqual({
    low: 0.5,
    high: 0.5,
    confidence: 0.95,
    resamples: 10_000,
  });
});

it("is near the normal interval of many coins", () => {
  const coins = Array.from({ length: 400 }, (_, index) => index % 2);
  const interval = bootstrapInterval(coins, 1);
  // 0.5 -+ 1.96 * sqrt(0.25 / 400)
  expect(interval?.low).toBeCloseTo(0.451, 2);
  expect(interval?.high).toBeCloseTo(0.549, 2);
});

it("is a function of values and seed", () => {
  const values = Array.from({ length: 50 }, (_, index) => index);
  expect(bootstrapInterval(values, 3)).toEqual(bootstrapInterval(values, 3));
  expect(bootstrapInterval(values, 4)).not.toEqual(bootstrapInterval(values, 3));
});

it("takes fewer resamples of many values", () => {
  expect([100, 10_000, 20_000, 1_000_000].map(resamplesOf)).toEqual([10_000, 10_000, 5_000, 1_000]);
});
