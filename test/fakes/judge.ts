import type { Execution, ExecutionStatus } from "../../core/execution.ts";
import type { Judge, JudgedAnswer, JudgeReply, JudgeRequest } from "../../core/judge.ts";
import { SeededRandom } from "../../core/random.ts";
import type { Verdict } from "../../core/verdict.ts";

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
 * A judge with hand-made replies by SQL text; every metric gets the same verdict. Calls end in an order
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
    return {
      gold: request.gold.map((sql) => known(this.#replies.golds[sql], sql)),
      answers: request.predictions.map((sql): JudgedAnswer => {
        const { execution, verdict } = known(this.#replies.answers[sql], sql);
        return { execution, verdicts: Object.fromEntries(request.metrics.map((id) => [id, verdict])) };
      }),
    };
  }
}

function known<T>(reply: T | undefined, sql: string): T {
  if (reply === undefined) throw new Error(`the fake judge has no reply for: ${sql}`);
  return reply;
}
