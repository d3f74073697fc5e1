import { wilsonInterval } from "./pass-at-k.ts";

/** The figures of a set of scores; `null` where there is no score. */
export interface MeanFigures {
  readonly n: number;
  readonly mean: number | null;
  /** Of the mean: the standard deviation of the scores (over n) by the square root of n. */
  readonly standardError: number | null;
  /** Wilson's 95 percent interval; `null` also where a score lies outside 0 to 1. */
  readonly low: number | null;
  readonly high: number | null;
}

/** The mean of scores added one by one; holds no scores. The spread is kept by Welford's recurrence. */
export class RunningMean {
  #count = 0;
  #sum = 0;
  #centre = 0;
  #squares = 0;
  #isBounded = true;

  add(score: number): void {
    this.#count += 1;
    this.#sum += score;
    const distance = score - this.#centre;
    this.#centre += distance / this.#count;
    this.#squares += distance * (score - this.#centre);
    this.#isBounded &&= score >= 0 && score <= 1;
  }

  figures(): MeanFigures {
    const n = this.#count;
    if (n === 0) return { n, mean: null, standardError: null, low: null, high: null };
    const mean = this.#sum / n;
    const interval = this.#isBounded ? wilsonInterval(mean, n) : undefined;
    return {
      n,
      mean,
      standardError: Math.sqrt(this.#squares) / n,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
    };
  }
}
