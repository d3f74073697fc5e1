import { z } from "zod";
import { defineReward, type RewardInput, type RewardResult } from "../../core/reward.ts";
import type { LinkedTable, Trajectory } from "../../core/trajectory.ts";
import { unscored } from "../../core/verdict.ts";
import { linkedSets, setF1, sharedCount } from "../linked-sets.ts";
import { isUnscored, scoresOf, termWeights, weighted } from "../reward-terms.ts";
import { answeredCallsOf, breaksProtocol } from "../trajectory-signs.ts";

const Options = z
  .strictObject({
    terms: termWeights({ task: 1, tool: 0.1, format: 0.1, length: 0.2 }),
    /** What "equal" means for the query. */
    metric: z.string().default("rex"),
    /** Tokens after the prompt at which the penalty is whole (the paper's Lmax). */
    maxTokens: z.int().positive().default(32_768),
    /** How many tokens before that it begins (the paper's Lcache). */
    cacheTokens: z.int().positive().default(4_096),
    /** Scaffolds whose answer is a linked schema. */
    linkers: z.array(z.string()).default(["dualsql-linker"]),
  })
  .refine(({ maxTokens, cacheTokens }) => cacheTokens < maxTokens, {
    path: ["cacheTokens"],
    error: "got at least maxTokens, expected less",
  });
type Options = z.infer<typeof Options>;

/** Ends of an episode without an action in the last reply, or with half of one. */
const UNFINISHED: ReadonlySet<Trajectory["stopReason"]> = new Set([
  "no_answer",
  "length",
  "token_budget",
  "content_filter",
]);

/**
 * DualSQL's reward, equations 1 to 4: `max(Rtask + 0.1 Rtool, 0.1 Rf) + 0.2 Rl Rf`, not below 0. Terms: `task` is the
 * linking reward of a linker's episode and 1 or 0 for a query's; `tool` is 1 for a right query whose episode had a tool
 * answer; `format` is Rf; `length` is Rl, counted only where Rf is 1.
 *
 * Not in the paper: linking compares tables and columns as items alike, so that a gold of `count(*)`, which reads a
 * table and no column, has items; an empty gold set is included in anything, and the precision of an empty linking is
 * 0; a linker that ends without links has 0; Rf is 0 also where the last reply was cut or had no answer, and where a
 * guardrail in test mode told the agent of a violation; a turn budget that is used up leaves Rf 1; tokens are those
 * after the prompt.
 * @paper DualSQL 4.3, equations 1 to 4
 */
export default defineReward({
  id: "dualsql",
  version: 1,
  options: Options,
  deviations: [
    "linking: tables and columns are items alike; an empty linking has precision 0; no links at all have reward 0",
    "the format reward is 0 also for a reply that was cut, and for a violation of which a guardrail told",
    "the length is in tokens after the prompt",
  ],
  terms: ["task", "tool", "format", "length"],
  metrics: ({ metric }) => [metric],
  labels: () => [],
  score(input, options) {
    const { trajectory, tokens } = input;
    const task = taskOf(input, options);
    if (typeof task !== "number") return task;
    const isLinker = isLinkerOf(trajectory, options);
    const isTool = !isLinker && task === 1 && answeredCallsOf(trajectory).length > 0;
    const format = breaksProtocol(trajectory) || UNFINISHED.has(trajectory.stopReason) ? 0 : 1;
    const length = format === 0 ? 0 : lengthPenalty(tokens, options);
    const terms = weighted({ task, tool: isTool ? 1 : 0, format, length }, options.terms);
    const earned = terms.task.value * terms.task.weight + terms.tool.value * terms.tool.weight;
    const kept = Math.max(earned, terms.format.value * terms.format.weight);
    const total = Math.max(0, kept + terms.length.value * terms.length.weight);
    return { status: "scored", total, terms };
  },
});

function isLinkerOf({ links, scaffold }: Trajectory, { linkers }: Options): boolean {
  return links !== undefined || linkers.includes(scaffold.id);
}

function taskOf(input: RewardInput, options: Options): number | RewardResult {
  const { trajectory, goldLinks, verdicts } = input;
  if (!isLinkerOf(trajectory, options)) {
    const scores = scoresOf(verdicts, [options.metric]);
    if (isUnscored(scores)) return scores;
    return breaksOff(trajectory) ? 0 : scores[options.metric] === 1 ? 1 : 0;
  }
  if (goldLinks === null)
    return unscored("gold_unlinked", "the tables and columns of the gold are not known");
  if (trajectory.links === undefined) return 0;
  return linkingReward(goldLinks, trajectory.links);
}

/** A rollout that was cut off has no answer, whatever its last reply held. */
function breaksOff({ stopReason }: Trajectory): boolean {
  return stopReason === "guardrail";
}

/** Equation 1. */
function linkingReward(gold: readonly LinkedTable[], linked: readonly LinkedTable[]): number {
  const expected = linkedSets(gold);
  const found = linkedSets(linked);
  const shared = sharedCount(found.items, expected.items);
  if (shared === expected.items.size && shared === found.items.size) return 1;
  const precision = found.items.size === 0 ? 0 : shared / found.items.size;
  const loss = Math.max(0.2 - precision, 0);
  if (shared === expected.items.size) return 0.9 - loss;
  if (sharedCount(expected.tables, found.tables) === expected.tables.size) return 0.7 - loss;
  return 0.5 * setF1(expected.items, found.items);
}

/** Equation 3. */
function lengthPenalty(tokens: number, { maxTokens, cacheTokens }: Options): number {
  const free = maxTokens - cacheTokens;
  if (tokens <= free) return 0;
  return tokens <= maxTokens ? (free - tokens) / cacheTokens : -1;
}
