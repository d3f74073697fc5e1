import { z } from "zod";
import type { RewardResult, RewardTerm } from "../core/reward.ts";
import { unscored, type Unscored, type Verdict } from "../core/verdict.ts";

/** The option `terms` of a reward: its weights by name, each with its default. */
export function termWeights<Name extends string>(defaults: Readonly<Record<Name, number>>) {
  const shape = Object.fromEntries(
    Object.entries<number>(defaults).map(([name, weight]) => [name, z.number().default(weight)]),
  ) as Record<Name, z.ZodDefault<z.ZodNumber>>;
  return z.strictObject(shape).prefault({} as never);
}

/** Terms with their weights, in the order of the weights. */
export function weighted<Name extends string>(
  values: Readonly<Record<Name, number>>,
  weights: Readonly<Record<Name, number>>,
): Record<Name, RewardTerm> {
  const terms = Object.keys(weights).map((name) => [
    name,
    { value: values[name as Name], weight: weights[name as Name] },
  ]);
  return Object.fromEntries(terms) as Record<Name, RewardTerm>;
}

/** A scored result whose total is the weighted sum of its terms. */
export function weightedSum(terms: Readonly<Record<string, RewardTerm>>): RewardResult {
  let total = 0;
  for (const { value, weight } of Object.values(terms)) total += value * weight;
  return { status: "scored", total, terms };
}

/** The scores of verdicts by metric, or the first of them that has none. */
export function scoresOf<Id extends string>(
  verdicts: Readonly<Record<string, Verdict>>,
  ids: readonly Id[],
): Record<Id, number> | Unscored {
  const scores = {} as Record<Id, number>;
  for (const id of ids) {
    const verdict = verdicts[id];
    if (verdict === undefined) return unscored("metric_missing", `no verdict by ${id} was given`);
    if (verdict.status === "unscored") return verdict;
    scores[id] = verdict.score;
  }
  return scores;
}

/** Whether {@link scoresOf} found a verdict without a score. */
export function isUnscored(scores: Readonly<Record<string, number>> | Unscored): scores is Unscored {
  return (scores as Unscored).status === "unscored";
}
