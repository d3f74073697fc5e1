import { SeededRandom } from "../core/random.ts";

/** Resamples where draws allow it, and at the least. */
export const MOST_RESAMPLES = 10_000;
const FEWEST_RESAMPLES = 1_000;

/** Draws of one interval at most, over which resamples are given up before time is. */
const MOST_DRAWS = 100_000_000;

/** A percentile interval of a mean, and how many resamples made it. */
export interface BootstrapInterval {
  readonly low: number;
  readonly high: number;
  readonly confidence: number;
  readonly resamples: number;
}

/**
 * The bootstrap's percentile interval of the mean of `values`: as many values drawn with replacement, over and over,
 * and the middle `confidence` of their means, quantiles interpolated linearly. How many there are,
 * `resamplesOf` says. A function of the values in their order and the seed. `null` of no values.
 */
export function bootstrapInterval(
  values: ArrayLike<number>,
  seed: number,
  confidence = 0.95,
): BootstrapInterval | null {
  const { length } = values;
  if (length === 0) return null;
  const resamples = resamplesOf(length);
  const random = new SeededRandom(seed, "bootstrap", length);
  const means = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample += 1) {
    let sum = 0;
    for (let drawn = 0; drawn < length; drawn += 1) sum += values[random.integer(length)] as number;
    means[resample] = sum / length;
  }
  means.sort();
  const tail = (1 - confidence) / 2;
  return { low: quantile(means, tail), high: quantile(means, 1 - tail), confidence, resamples };
}

/** Resamples of so many values: 10,000 up to 10,000 values, fewer beyond, 1,000 at the least. */
export function resamplesOf(values: number): number {
  return Math.max(FEWEST_RESAMPLES, Math.min(MOST_RESAMPLES, Math.floor(MOST_DRAWS / values)));
}

/** The quantile of sorted values, between neighbours by distance. */
function quantile(sorted: Float64Array, share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] as number;
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number;
  return low + (high - low) * (place - below);
}
