import type { Execution } from "../core/execution.ts";
import type { Judge, JudgedAnswer, JudgeReply, JudgeRequest } from "../core/judge.ts";
import { identityOf } from "../core/key.ts";
import { RecentMap } from "../core/recent-map.ts";

/** Characters of statements, messages and results that are remembered; what was asked for longest ago goes first. */
const ANSWER_CHARACTERS = 16_000_000;
const GOLD_CHARACTERS = 8_000_000;

/** What an execution, and what a verdict of it, takes beside its message, in characters. */
const RESULT_CHARACTERS = 300;

type GroupParts = Pick<JudgeRequest, "database" | "metrics" | "goldLimits" | "predictionLimits">;

/** What answers to the same golds are remembered under, and what they were judged with. */
interface Group extends GroupParts {
  readonly group: string;
}

/**
 * A judge that remembers: an answer judged once against the same golds of the same database and test suite, by the
 * same metrics under the same limits, is not run again, whichever stage asks. Crashes are not remembered, nor is what
 * was timed.
 */
export class JudgeMemo implements Judge {
  readonly #judge: Judge;
  readonly #answers = new RecentMap<string, JudgedAnswer>(ANSWER_CHARACTERS);
  readonly #golds = new RecentMap<string, readonly Execution[]>(GOLD_CHARACTERS);
  /** The last group that was asked of each list of golds: a service asks the same of them again and again. */
  readonly #groups = new WeakMap<readonly string[], Group>();

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  async judge(request: JudgeRequest): Promise<JudgeReply> {
    if (request.database.digest === "" || request.timingRounds !== undefined)
      return this.#judge.judge(request);
    const group = this.#groupOf(request);
    const known = request.predictions.map((sql) => this.#answers.get(`${group}${sql}`));
    const missing = [...new Set(request.predictions.filter((_, index) => known[index] === undefined))];
    const golds = this.#golds.get(group);
    if (golds !== undefined && missing.length === 0) return { gold: golds, answers: known as JudgedAnswer[] };
    const reply = await this.#judge.judge({ ...request, predictions: missing });
    const areGoldsLasting = reply.gold.every(isLasting);
    if (areGoldsLasting) this.#golds.set(group, reply.gold, group.length + charactersOf(reply.gold));
    const judged = new Map(missing.map((sql, index) => [sql, reply.answers[index] as JudgedAnswer]));
    for (const [sql, answer] of judged) {
      if (!areGoldsLasting || !isLasting(answer.execution)) continue;
      const key = `${group}${sql}`;
      const verdicts = Object.keys(answer.verdicts).length * RESULT_CHARACTERS;
      this.#answers.set(key, answer, key.length + charactersOf([answer.execution]) + verdicts);
    }
    const answers = request.predictions.map(
      (sql, index) => known[index] ?? (judged.get(sql) as JudgedAnswer),
    );
    return { gold: reply.gold, answers };
  }

  /** What answers are remembered under, apart from their texts. */
  #groupOf(request: JudgeRequest): string {
    const { database, gold, metrics, goldLimits, predictionLimits } = request;
    const known = this.#groups.get(gold);
    if (known !== undefined && isSameGroup(known, request)) return known.group;
    const group = identityOf([
      database.digest,
      database.suiteDigest ?? "",
      gold,
      metrics,
      { ...goldLimits },
      { ...predictionLimits },
    ]);
    this.#groups.set(gold, { database, metrics, goldLimits, predictionLimits, group });
    return group;
  }
}

/** Whether two requests for the same list of golds have the very same other parts. */
function isSameGroup(left: GroupParts, right: GroupParts): boolean {
  return (
    left.database === right.database &&
    left.metrics === right.metrics &&
    left.goldLimits === right.goldLimits &&
    left.predictionLimits === right.predictionLimits
  );
}

function isLasting(execution: Execution): boolean {
  return execution.status !== "crashed";
}

function charactersOf(executions: readonly Execution[]): number {
  return executions.reduce((sum, { message }) => sum + message.length + RESULT_CHARACTERS, 0);
}
