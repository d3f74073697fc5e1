import { type Database, isReadable } from "../../core/database.ts";
import type { Execution, ExecutionStatus } from "../../core/execution.ts";
import type { Judge, JudgedAnswer, JudgeReply, JudgeRequest } from "../../core/judge.ts";
import { SeededRandom } from "../../core/random.ts";
import { unscored, type Verdict } from "../../core/verdict.ts";

/** An execution as a judge reports it, by its status alone. */
export function executed(status: ExecutionStatus, message = ""): Execution {
  const rows = status === "ok" ? 1 : 0;
  const columns = status === "ok" || status === "empty" ? 1 : 0;
  const digest = columns === 0 ? "" : "0".repeat(32);
  return { status, message, rows, columns, digest, orderedDigest: digest };
}

/** What a fake judge says of a statement: as a gold its execution, as an answer its execution and verdict. */
export interface FakeReplies {
  readonly golds: Readonly<Record<string, Execution>>;
  readonly answers: Readonly<Record<string, { readonly execution: Execution; readonly verdict: Verdict }>>;
}

/**
 * A judge with hand-made replies by SQL text; every metric gets the same verdict, or none where its database
 * or its golds do not allow one. Calls end in an order
 * drawn from `seed`. Throws for a statement without a reply.
 */
export class FakeJudge implements Judge {
  readonly requests: JudgeRequest[] = [];
  /** The most calls that were in flight at once. */
  mostInFlight = 0;
  readonly #replies: FakeReplies;
  readonly #random: SeededRandom;
  #inFlight = 0;

  constructor(replies: FakeReplies, seed = 0) {
    this.#replies = replies;
    this.#random = new SeededRandom(seed, "fake-judge");
  }

  async judge(request: JudgeRequest): Promise<JudgeReply> {
    this.requests.push(request);
    this.#inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.#inFlight);
    await new Promise((resolve) => setTimeout(resolve, this.#random.integer(6)));
    this.#inFlight -= 1;
    const gold = request.gold.map((sql) =>
      isReadable(request.database)
        ? known(this.#replies.golds[sql], sql)
        : executed("error", "nothing to read"),
    );
    const obstacle = obstacleOf(request.database, gold);
    return {
      gold,
      answers: request.predictions.map((sql): JudgedAnswer => {
        const { execution, verdict } = known(this.#replies.answers[sql], sql);
        const said = obstacle ?? verdict;
        return { execution, verdicts: Object.fromEntries(request.metrics.map((id) => [id, said])) };
      }),
    };
  }
}

/** Why a metric that reads rows has no score, by the port's rules. */
function obstacleOf(database: Database, golds: readonly Execution[]): Verdict | undefined {
  if (!isReadable(database)) {
    const reason = database.status === "missing" ? "database_missing" : "database_unreadable";
    return unscored(reason, database.message);
  }
  const [first] = golds;
  const anyRan = golds.some(({ status }) => status === "ok" || status === "empty");
  return first === undefined || anyRan ? undefined : unscored(`gold_${first.status}`, first.message);
}

function known<T>(reply: T | undefined, sql: string): T {
  if (reply === undefined) throw new Error(`the fake judge has no reply for: ${sql}`);
  return reply;
}
