import { z } from "zod";
import { defineReward, type RewardInput } from "../../core/reward.ts";
import { isUnscored, scoresOf, termWeights, weighted, weightedSum } from "../reward-terms.ts";
import { breaksProtocol, repliesOf } from "../trajectory-signs.ts";

const Options = z.strictObject({
  terms: termWeights({ execution: 1, turns: 0.2, bigram: 0.2, schema: 0.2, syntax: 0.1, format: 0.1 }),
  /** The metric of the execution term. */
  metric: z.string().default("bird-ex"),
  /** Replies that cost nothing, by the label of the gold. */
  freeTurns: z.record(z.string(), z.int().positive()).default({ easy: 3, medium: 4, hard: 6, extra: 8 }),
  /** Replies that cost nothing where the gold has no label. */
  otherFreeTurns: z.int().positive().default(5),
  /** The budget, at which the turn term is 0. */
  maxTurns: z.int().positive().default(10),
  /** Whether the turn term needs a right answer, so that a quick wrong one earns nothing by it. */
  turnsNeedRight: z.boolean().default(true),
  label: z.string().default("spider-hardness"),
});
type Options = z.infer<typeof Options>;

/**
 * SQL-Trail's panel of six terms, each from 0 to 1, added up by weight. The paper names them and prints no formula, so
 * these are ours: `execution` is the metric's score; `turns` is 1 up to the free replies of the gold's hardness and
 * falls evenly to 0 at the budget, for right answers only; `bigram` is the Jaccard index of pairs of SQL tokens;
 * `schema` that of tables and columns; `syntax` is 1 for a query that the database takes; `format` is 1 where the
 * episode ended with an answer, every reply began with a thought, and no reminder was needed. All weights and
 * thresholds are ours too.
 * @paper SQL-Trail 3.3.2, six-term reward panel; formulas, weights and thresholds are not in the paper
 */
export default defineReward({
  id: "sql-trail",
  version: 1,
  options: Options,
  deviations: [
    "the paper prints neither the formulas of its six terms nor their weights nor the turn thresholds: all are ours",
  ],
  terms: ["execution", "turns", "bigram", "schema", "syntax", "format"],
  metrics: ({ metric }) => [...new Set([metric, "bigram", "schema-linking", "syntax"])],
  labels: ({ label }) => [label],
  score(input, options) {
    const { verdicts } = input;
    const scores = scoresOf(verdicts, [options.metric, "bigram", "schema-linking", "syntax"]);
    if (isUnscored(scores)) return scores;
    const execution = scores[options.metric] ?? 0;
    const f1 = scores["schema-linking"] ?? 0;
    const values = {
      execution,
      turns: options.turnsNeedRight && execution !== 1 ? 0 : turnsTerm(input, options),
      bigram: scores["bigram"] ?? 0,
      schema: f1 / (2 - f1),
      syntax: scores["syntax"] ?? 0,
      format: isWellFormed(input) ? 1 : 0,
    };
    return weightedSum(weighted(values, options.terms));
  },
});

function turnsTerm({ trajectory, labels }: RewardInput, options: Options): number {
  const label = labels[options.label];
  const known = label?.status === "scored" ? options.freeTurns[label.label] : undefined;
  const free = Math.min(known ?? options.otherFreeTurns, options.maxTurns);
  const turns = repliesOf(trajectory).length;
  if (turns <= free) return 1;
  return turns >= options.maxTurns ? 0 : (options.maxTurns - turns) / (options.maxTurns - free);
}

function isWellFormed({ trajectory }: RewardInput): boolean {
  const thinks = repliesOf(trajectory).every(({ reasoning }) => (reasoning ?? "").trim() !== "");
  return thinks && trajectory.stopReason === "answered" && !breaksProtocol(trajectory);
}
