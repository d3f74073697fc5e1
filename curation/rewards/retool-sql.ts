import { z } from "zod";
import { defineReward } from "../../core/reward.ts";
import { unscored } from "../../core/verdict.ts";
import { linkedSets, setF1 } from "../linked-sets.ts";
import { isUnscored, scoresOf, termWeights, weighted, weightedSum } from "../reward-terms.ts";
import { annotatedLinks } from "../schema-annotation.ts";

const Options = z
  .strictObject({
    terms: termWeights({ execution: 1, tables: 0.1, columns: 0.1, length: 1 }),
    /** The metric of the execution term; the paper compares unordered sets of raw rows. */
    metric: z.string().default("bird-ex"),
    /** Tokens after the prompt that cost nothing. */
    targetTokens: z.int().nonnegative().default(6_000),
    /** Tokens at which the penalty is whole. */
    maxTokens: z.int().positive().default(8_000),
    /** The whole penalty. */
    alpha: z.number().nonnegative().default(0.5),
  })
  .refine(({ targetTokens, maxTokens }) => targetTokens < maxTokens, {
    path: ["targetTokens"],
    error: "got at least maxTokens, expected less",
  });
type Options = z.infer<typeof Options>;

/**
 * ReToolSQL's composite reward: execution dominates, and two linking terms keep a signal where execution is flat.
 * `length` is 0 up to 6,000 tokens, falls evenly to -0.5 at 8,000 and stays there. `tables` and `columns` are F1 of what
 * the replies annotate as used against what gold reads.
 *
 * Not in the paper: the weights (1, 0.1, 0.1), that linking terms are F1, that they read the last `<schema>` block of
 * the episode (none scores 0, unless gold reads none), and that tokens are those after the prompt.
 * @paper ReToolSQL, composite rewards and length regularization
 */
export default defineReward({
  id: "retool-sql",
  version: 1,
  options: Options,
  deviations: [
    "the paper gives no weights and no formula of its linking terms: F1 of annotated tables and columns, 0.1 each",
    "the length is in tokens after the prompt",
  ],
  terms: ["execution", "tables", "columns", "length"],
  metrics: ({ metric }) => [metric],
  labels: () => [],
  score({ trajectory, goldLinks, verdicts, tokens }, options) {
    const scores = scoresOf(verdicts, [options.metric]);
    if (isUnscored(scores)) return scores;
    if (goldLinks === null) {
      return unscored("gold_unlinked", "the tables and columns of the gold are not known");
    }
    const gold = linkedSets(goldLinks);
    const found = linkedSets(annotatedLinks(trajectory));
    const values = {
      execution: scores[options.metric] ?? 0,
      tables: setF1(gold.tables, found.tables),
      columns: setF1(gold.columns, found.columns),
      length: lengthTerm(tokens, options),
    };
    return weightedSum(weighted(values, options.terms));
  },
});

function lengthTerm(tokens: number, { targetTokens, maxTokens, alpha }: Options): number {
  if (tokens <= targetTokens) return 0;
  const share = Math.min(1, (tokens - targetTokens) / (maxTokens - targetTokens));
  return -alpha * share;
}
