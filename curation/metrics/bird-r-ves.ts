import { defineMetric } from "../../core/metric.ts";
import { scoredWith, unscored } from "../../core/verdict.ts";
import { haveSameRowSets } from "../row-sets.ts";
import { rvesRatio, rvesReward } from "../r-ves.ts";

/**
 * BIRD's reward-based valid efficiency score: 0 when the results differ as in `bird-ex`, else the square root of the
 * reward for the mean ratio of the gold's run time over the prediction's, so that 100 times the mean over answers is
 * the published score; at most 1.118, the root of 1.25. `details` has `reward` and, where any round is left, `ratio`.
 * Unscored, `not_timed`, where the request has no rounds.
 *
 * It is a measurement: the same answer gets another ratio the next time, and another reward where the ratio is near a
 * step. One worker on a machine that does nothing else measures best.
 */
export default defineMetric({
  id: "bird-r-ves",
  version: 1,
  needs: { rows: true, timings: true },
  deviations: [
    "statements run read-only: a prediction that writes scores 0",
    "a gold that fails leaves its answers unscored instead of wrong, but for gradus score, which gives the official 0",
    "time is limited per run of a statement by CPU, not by the clock for all rounds",
    "rows are read without being kept, and the authorizer is asked for each statement that is timed",
  ],
  officialWhenGoldFails: 0,
  judge({ gold, predicted, time }) {
    if (!haveSameRowSets(gold, predicted)) return scoredWith(0, { reward: 0 });
    if (time === undefined) return unscored("not_timed", "run times were not asked for");
    const times = time();
    const reward = rvesReward(times.gold, times.predicted, true);
    const ratio = rvesRatio(times.gold, times.predicted);
    return scoredWith(Math.sqrt(reward), ratio === null ? { reward } : { reward, ratio });
  },
});
