import { GradusError } from "../core/errors.ts";

/** McNemar's tests of the questions that two sets of answers disagree on. Two-sided p-values, 0 to 1. */
export interface McNemar {
  /** Right before and wrong after, and the other way round. */
  readonly lost: number;
  readonly gained: number;
  /** The exact test: the smaller of both, or fewer, of `lost + gained` tosses of a fair coin, doubled. 1 of none. */
  readonly exactP: number;
  /** The chi-square statistic with one degree of freedom, without a continuity correction; 0 of none. */
  readonly chiSquare: number;
  readonly chiSquareP: number;
  /** The same with Edwards' correction, 1 taken off the distance. */
  readonly correctedChiSquare: number;
  readonly correctedChiSquareP: number;
}

/**
 * Holds questions lost against questions gained.
 * @throws MCNEMAR_COUNTS_INVALID for counts that are no whole numbers from 0.
 */
export function mcnemar(lost: number, gained: number): McNemar {
  if (![lost, gained].every((count) => Number.isSafeInteger(count) && count >= 0)) {
    throw new GradusError(
      "MCNEMAR_COUNTS_INVALID",
      `cannot compare ${lost} lost with ${gained} gained: expected whole numbers from 0`,
    );
  }
  const all = lost + gained;
  const distance = Math.abs(lost - gained);
  const chiSquare = all === 0 ? 0 : (distance * distance) / all;
  const corrected = all === 0 ? 0 : Math.max(0, distance - 1) ** 2 / all;
  return {
    lost,
    gained,
    exactP: fairCoinP(Math.min(lost, gained), all),
    chiSquare,
    chiSquareP: chiSquareTail(chiSquare),
    correctedChiSquare: corrected,
    correctedChiSquareP: chiSquareTail(corrected),
  };
}

/** Twice the chance of `heads` heads or fewer in `tosses` tosses, at most 1; `heads` is at most half of them. */
function fairCoinP(heads: number, tosses: number): number {
  let logarithm = -tosses * Math.LN2;
  for (let drawn = 0; drawn < heads; drawn += 1) {
    logarithm += Math.log(tosses - drawn) - Math.log(drawn + 1);
  }
  let term = Math.exp(logarithm);
  let sum = term;
  for (let fewer = heads; fewer > 0 && term > 0; fewer -= 1) {
    term *= fewer / (tosses - fewer + 1);
    sum += term;
  }
  return Math.min(1, 2 * sum);
}

/** The chance that a chi-square of one degree of freedom is `value` or more: erfc(sqrt(value / 2)). */
function chiSquareTail(value: number): number {
  const root = Math.sqrt(value / 2);
  return root < 2 ? 1 - errorSeries(root) : errorTail(root);
}

/** erf by its Taylor series, for arguments below 2. */
function errorSeries(value: number): number {
  let term = value;
  let sum = value;
  for (let index = 1; Math.abs(term) > 1e-18 * Math.abs(sum); index += 1) {
    term *= (-value * value) / index;
    sum += term / (2 * index + 1);
    if (index > 200) break;
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

/** erfc by its continued fraction, from the inside out, for arguments from 2. */
function errorTail(value: number): number {
  let fraction = 0;
  for (let level = 200; level > 0; level -= 1) fraction = level / 2 / (value + fraction);
  return Math.exp(-value * value) / Math.sqrt(Math.PI) / (value + fraction);
}
