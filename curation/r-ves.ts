import { GradusError } from "../core/errors.ts";

/** Rounds that the official evaluator times. */
export const R_VES_ROUNDS = 100;

/** Ratios this many standard deviations from the mean, or farther, are dropped. */
const KEPT_DEVIATIONS = 3;

/** Rewards by the least mean ratio that earns them, best first. */
const REWARDS = [
  { from: 2, reward: 1.25 },
  { from: 1, reward: 1 },
  { from: 0.5, reward: 0.75 },
  { from: 0.25, reward: 0.5 },
] as const;

const SLOWEST_REWARD = 0.25;

/** How numpy adds: in this many lanes, and longer lists than a block in two halves. */
const LANES = 8;
const MAX_BLOCK = 128;

/**
 * The reward of BIRD's reward-based valid efficiency score for one answer: 0, 0.25, 0.5, 0.75, 1 or 1.25. It
 * takes paired run times of gold and prediction in any one unit, as `goldTimes[i]` and `predictedTimes[i]`
 * of round `i`, and goes by the mean of gold over prediction, without the rounds that lie three standard
 * deviations or more from it. 0 when the results differ. Also 0, as the official code has it, when no round
 * is left: of one round, or where all ratios are the same number. The published score is 100 times the mean
 * of the rewards' square roots.
 * @throws R_VES_TIMES_INVALID for lists of different lengths, or times that are negative or not finite.
 */
export function rvesReward(
  goldTimes: readonly number[],
  predictedTimes: readonly number[],
  setsEqual: boolean,
): number {
  const valid = [...goldTimes, ...predictedTimes].every((time) => Number.isFinite(time) && time >= 0);
  if (goldTimes.length !== predictedTimes.length || !valid) {
    throw new GradusError(
      "R_VES_TIMES_INVALID",
      `got ${goldTimes.length} and ${predictedTimes.length} times, expected equally many, finite and not negative`,
    );
  }
  if (!setsEqual) return 0;
  const ratio = rvesRatio(goldTimes, predictedTimes);
  if (ratio === null || ratio === 0) return 0;
  return REWARDS.find(({ from }) => ratio >= from)?.reward ?? SLOWEST_REWARD;
}

/** The mean ratio that earns an answer its reward, of as many times on both sides; `null` when no round is left. */
export function rvesRatio(goldTimes: readonly number[], predictedTimes: readonly number[]): number | null {
  const kept = withoutOutliers(goldTimes.map((time, round) => time / (predictedTimes[round] as number)));
  return kept.length === 0 ? null : kept.reduce((sum, value) => sum + value, 0) / kept.length;
}

function withoutOutliers(ratios: readonly number[]): number[] {
  const mean = pairwiseSum(ratios) / ratios.length;
  const squares = ratios.map((ratio) => (ratio - mean) ** 2);
  const reach = KEPT_DEVIATIONS * Math.sqrt(pairwiseSum(squares) / ratios.length);
  return ratios.filter((ratio) => ratio < mean + reach && ratio > mean - reach);
}

/**
 * The sum in the order of additions of numpy, which the official code calls: whether the mean of equal
 * ratios is that very ratio, and so whether any round is left, hangs on its last bit.
 */
function pairwiseSum(values: readonly number[]): number {
  if (values.length < LANES) return values.reduce((sum, value) => sum + value, 0);
  if (values.length > MAX_BLOCK) {
    const half = Math.floor(values.length / 2 / LANES) * LANES;
    return pairwiseSum(values.slice(0, half)) + pairwiseSum(values.slice(half));
  }
  const whole = values.length - (values.length % LANES);
  const lanes = values.slice(0, LANES);
  for (let index = LANES; index < whole; index += 1) {
    lanes[index % LANES] = (lanes[index % LANES] as number) + (values[index] as number);
  }
  for (let width = LANES; width > 1; width /= 2) {
    for (let lane = 0; lane < width / 2; lane += 1) {
      lanes[lane] = (lanes[2 * lane] as number) + (lanes[2 * lane + 1] as number);
    }
  }
  return values.slice(whole).reduce((sum, value) => sum + value, lanes[0] as number);
}
