import { z } from "zod";
import type { ExecutionStatus } from "../../core/execution.ts";
import { defineReward, type RewardInput } from "../../core/reward.ts";
import { type DialogueAction, dialogueActions, statementsRun } from "../dialogue-actions.ts";
import { isUnscored, scoresOf, termWeights, weighted, weightedSum } from "../reward-terms.ts";

const Options = z.strictObject({
  terms: termWeights({ ex: 1, em: 1, propose: 0.2, execution_check: 0.2, memory_check: 0.2 }),
  executionMetric: z.string().default("spider-ex"),
  exactMetric: z.string().default("spider-em"),
  clauseMetric: z.string().default("clause-f1"),
  /** How the actions of one type are put together: `sum` is the paper's, by which a longer loop earns more. */
  process: z.enum(["mean", "sum"]).default("mean"),
});
type Options = z.infer<typeof Options>;

/**
 * MTSQL-R1's reward: outcome by EX and EM, and a reward for each action. `propose`: the clause F1 of every query that
 * was proposed or corrected. `execution_check`: of a verification of a result, by what the query gave: rows want `pass`
 * (1, else 0), no rows give 0.1 for `fail` and 0 for `pass`, an error wants `fail`; what it gave is what the agent was
 * told, or where the text does not say, what the judge finds. `memory_check`: the clause F1 of the
 * checked query for `pass`, one minus it for `fail`. Actions of refused replies do not count.
 *
 * Not in the paper: the weights (w1 = 1, w2 = 0.2), that actions of one type are averaged by default, that a type
 * without an action is 0, that a refused, over-long or too large query is an error, and that a check whose query could
 * not be judged is left out.
 * @paper MTSQL-R1 3.3.2, outcome and process rewards
 */
export default defineReward({
  id: "mtsql-r1",
  version: 1,
  options: Options,
  deviations: [
    "the weights are ours: w1 = 1 and w2 = 0.2; the paper picks its own by grid search and does not print them",
    "process rewards are averaged over the actions of a type; `process: sum` adds them up as the paper does",
  ],
  terms: ["ex", "em", "propose", "execution_check", "memory_check"],
  metrics: ({ executionMetric, exactMetric, clauseMetric }) => [
    ...new Set([executionMetric, exactMetric, clauseMetric]),
  ],
  labels: () => [],
  statements: (trajectory) => statementsRun(trajectory),
  score(input, options) {
    const { executionMetric, exactMetric } = options;
    const scores = scoresOf(input.verdicts, [executionMetric, exactMetric]);
    if (isUnscored(scores)) return scores;
    const actions = dialogueActions(input.trajectory);
    const processOf = (kind: DialogueAction["kind"]): number =>
      together(
        actions.filter((action) => action.kind === kind).flatMap((action) => valueOf(action, input, options)),
        options,
      );
    const values = {
      ex: scores[executionMetric] ?? 0,
      em: scores[exactMetric] ?? 0,
      propose: processOf("propose"),
      execution_check: processOf("execution_check"),
      memory_check: processOf("memory_check"),
    };
    return weightedSum(weighted(values, options.terms));
  },
});

function together(values: readonly number[], { process }: Options): number {
  if (values.length === 0) return 0;
  const sum = values.reduce((all, value) => all + value, 0);
  return process === "sum" ? sum : sum / values.length;
}

/** The reward of an action; none where its query could not be judged. */
function valueOf(action: DialogueAction, input: RewardInput, options: Options): number[] {
  const { kind, sql, passes } = action;
  const judged = input.statements.get(sql);
  if (kind === "execution_check") {
    const outcome = action.outcome ?? outcomeOf(judged?.execution?.status);
    return outcome === null ? [] : [checkValue(outcome, passes)];
  }
  const verdict = judged?.verdicts[options.clauseMetric];
  if (verdict?.status !== "scored") return [];
  return [kind === "memory_check" && !passes ? 1 - verdict.score : verdict.score];
}

function outcomeOf(status: ExecutionStatus | undefined): DialogueAction["outcome"] {
  if (status === undefined || status === "crashed") return null;
  if (status === "ok") return "result";
  return status === "empty" ? "null result" : "error";
}

function checkValue(outcome: NonNullable<DialogueAction["outcome"]>, passes: boolean): number {
  if (outcome === "result") return passes ? 1 : 0;
  if (outcome === "null result") return passes ? 0 : 0.1;
  return passes ? 0 : 1;
}
