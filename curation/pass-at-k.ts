import { GradusError } from "../core/errors.ts";

/**
 * The chance that at least one of `k` samples drawn without replacement from `n`, `c` of them right, is
 * right: 1 - C(n-c,k)/C(n,k) as a product, so that no factorial overflows. `undefined` when `k > n`.
 *
 * @paper Chen et al. 2021, Evaluating Large Language Models Trained on Code, equation 1
 * @throws PASS_COUNTS_INVALID for counts that are not integers with 0 <= c <= n and k >= 1.
 */
export function passAtK(n: number, c: number, k: number): number | undefined {
  checkCounts(n, c, k);
  if (k > n) return undefined;
  if (n - c < k) return 1;
  let allWrong = 1;
  for (let drawn = 0; drawn < k; drawn += 1) allWrong *= (n - c - drawn) / (n - drawn);
  return 1 - allWrong;
}

/**
 * The chance that all of `k` samples drawn without replacement from `n`, `c` of them right, are right:
 * C(c,k)/C(n,k). `undefined` when `k > n`.
 * @throws PASS_COUNTS_INVALID as {@link passAtK}.
 */
export function passHatK(n: number, c: number, k: number): number | undefined {
  checkCounts(n, c, k);
  if (k > n) return undefined;
  let allRight = 1;
  for (let drawn = 0; drawn < k; drawn += 1) allRight *= Math.max(0, c - drawn) / (n - drawn);
  return allRight;
}

/** The share of right samples, `c / n`; `undefined` without samples. */
export function passMean(n: number, c: number): number | undefined {
  checkCounts(n, c, 1);
  return n === 0 ? undefined : c / n;
}

/** Two-sided 95 percent point of the normal distribution. */
const NORMAL_95 = 1.959963984540054;

/**
 * Wilson's 95 percent interval, within 0 and 1, for a mean of `n` scores that each lie in 0 to 1. Exact in
 * form for right-or-wrong scores, too wide for graded ones. `undefined` without scores or for a mean
 * outside 0 to 1.
 *
 * @paper Wilson 1927, Probable Inference, the Law of Succession, and Statistical Inference
 */
export function wilsonInterval(mean: number, n: number): { low: number; high: number } | undefined {
  if (!(n > 0 && mean >= 0 && mean <= 1)) return undefined;
  const square = NORMAL_95 * NORMAL_95;
  const scale = 1 + square / n;
  const centre = (mean + square / (2 * n)) / scale;
  const half = (NORMAL_95 / scale) * Math.sqrt((mean * (1 - mean)) / n + square / (4 * n * n));
  return {
    low: mean === 0 ? 0 : Math.max(0, centre - half),
    high: mean === 1 ? 1 : Math.min(1, centre + half),
  };
}

function checkCounts(n: number, c: number, k: number): void {
  if ([n, c, k].every(Number.isInteger) && c >= 0 && c <= n && k >= 1) return;
  throw new GradusError(
    "PASS_COUNTS_INVALID",
    `cannot compute a pass rate: got n=${n}, c=${c}, k=${k}, expected integers with 0 <= c <= n and k >= 1`,
  );
}
