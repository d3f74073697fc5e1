import { z } from "zod";
import { defineReward } from "../../core/reward.ts";
import { isUnscored, scoresOf, termWeights, weighted, weightedSum } from "../reward-terms.ts";

const Options = z.strictObject({
  terms: termWeights({ answer: 1 }),
  /** The metric whose score the answer has. */
  metric: z.string().default("bird-ex"),
});

/** The score of the answer by one metric, and nothing else. An episode without an answer has 0. */
export default defineReward({
  id: "outcome",
  version: 1,
  options: Options,
  deviations: [],
  terms: ["answer"],
  metrics: ({ metric }) => [metric],
  labels: () => [],
  score({ verdicts }, { terms, metric }) {
    const scores = scoresOf(verdicts, [metric]);
    if (isUnscored(scores)) return scores;
    return weightedSum(weighted({ answer: scores[metric] ?? 0 }, terms));
  },
});
