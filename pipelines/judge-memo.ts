import type { Execution } from "../core/execution.ts";
import type { Judge, JudgedAnswer, JudgeReply, JudgeRequest } from "../core/judge.ts";
import { identityOf } from "../core/key.ts";

/** Verdicts remembered at most; the oldest are forgotten first. */
const CAPACITY = 50_000;

/**
 * A judge that remembers: an answer judged once against the same golds of the same database, by the same
 * metrics under the same limits, is not run again, whichever stage asks. Crashes are not remembered.
 */
export class JudgeMemo implements Judge {
  readonly #judge: Judge;
  readonly #answers = new Map<string, JudgedAnswer>();
  readonly #golds = new Map<string, readonly Execution[]>();

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  async judge(request: JudgeRequest): Promise<JudgeReply> {
    if (request.database.digest === "") return this.#judge.judge(request);
    const { gold, metrics, goldLimits, predictionLimits } = request;
    const group = identityOf([
      request.database.digest,
      gold,
      metrics,
      { ...goldLimits },
      { ...predictionLimits },
    ]);
    const known = request.predictions.map((sql) => this.#answers.get(`${group}${sql}`));
    const missing = [...new Set(request.predictions.filter((_, index) => known[index] === undefined))];
    const golds = this.#golds.get(group);
    if (golds !== undefined && missing.length === 0) return { gold: golds, answers: known as JudgedAnswer[] };
    const reply = await this.#judge.judge({ ...request, predictions: missing });
    if (reply.gold.every(isLasting)) remember(this.#golds, group, reply.gold);
    const judged = new Map(missing.map((sql, index) => [sql, reply.answers[index] as JudgedAnswer]));
    for (const [sql, answer] of judged) {
      if (isLasting(answer.execution) && reply.gold.every(isLasting)) {
        remember(this.#answers, `${group}${sql}`, answer);
      }
    }
    const answers = request.predictions.map(
      (sql, index) => known[index] ?? (judged.get(sql) as JudgedAnswer),
    );
    return { gold: reply.gold, answers };
  }
}

function isLasting(execution: Execution): boolean {
  return execution.status !== "crashed";
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.set(key, value);
  if (map.size <= CAPACITY) return;
  const oldest = map.keys().next();
  if (oldest.done !== true) map.delete(oldest.value);
}
