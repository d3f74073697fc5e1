import type { VoteGroup, Votes } from "../../core/audit.ts";
import type { Database } from "../../core/database.ts";
import type { ExecutionLimits } from "../../core/execution.ts";
import type { Judge, JudgedAnswer } from "../../core/judge.ts";

export interface VoteRequest {
  readonly database: Database;
  readonly gold: string;
  /** Answers of the samples; `null` for one without. */
  readonly answers: readonly (string | null)[];
  readonly judge: Judge;
  /** By which two results are one. */
  readonly metric: string;
  readonly limits: ExecutionLimits;
}

/**
 * Counts samples by their result: those that the metric finds right by the gold, and the others among themselves.
 * Answers that do not run vote for nothing.
 */
export async function countVotes(request: VoteRequest): Promise<Votes> {
  const answers = request.answers.filter((sql): sql is string => sql !== null && sql.trim() !== "");
  if (answers.length === 0) return { voters: 0, ran: 0, agree: 0, others: [] };
  const judged = await judgeBy(request, request.gold, answers);
  const ran = judged.filter(({ execution }) => hasRun(execution));
  const agree = ran.filter((one) => isRight(one, request.metric)).length;
  const byDigest = new Map<string, { votes: number; sql: string }>();
  for (const [place, one] of judged.entries()) {
    if (!hasRun(one.execution) || isRight(one, request.metric)) continue;
    const { digest } = one.execution;
    const known = byDigest.get(digest);
    if (known === undefined) byDigest.set(digest, { votes: 1, sql: answers[place] ?? "" });
    else known.votes += 1;
  }
  return {
    voters: answers.length,
    ran: ran.length,
    agree,
    others: await merged(request, [...byDigest.values()]),
  };
}

/** Groups that the metric finds equal become one; the commonest first. */
async function merged(request: VoteRequest, groups: readonly VoteGroup[]): Promise<VoteGroup[]> {
  let open = bySize(groups);
  const done: VoteGroup[] = [];
  for (let first = open[0]; first !== undefined; first = open[0]) {
    const rest = open.slice(1);
    const judged =
      rest.length === 0
        ? []
        : await judgeBy(
            request,
            first.sql,
            rest.map(({ sql }) => sql),
          );
    const same = rest.filter((_, place) => isRight(judged[place], request.metric));
    done.push({ sql: first.sql, votes: first.votes + same.reduce((sum, { votes }) => sum + votes, 0) });
    open = rest.filter((group) => !same.includes(group));
  }
  return bySize(done);
}

function bySize(groups: readonly VoteGroup[]): VoteGroup[] {
  return [...groups].sort((left, right) => right.votes - left.votes || (left.sql < right.sql ? -1 : 1));
}

async function judgeBy(
  { database, judge, metric, limits }: VoteRequest,
  gold: string,
  predictions: readonly string[],
): Promise<readonly JudgedAnswer[]> {
  const reply = await judge.judge({
    database,
    gold: [gold],
    predictions,
    metrics: [metric],
    goldLimits: limits,
    predictionLimits: limits,
  });
  return reply.answers;
}

function isRight(answer: JudgedAnswer | undefined, metric: string): boolean {
  const verdict = answer?.verdicts[metric];
  return verdict?.status === "scored" && verdict.score === 1;
}

function hasRun({ status }: JudgedAnswer["execution"]): boolean {
  return status === "ok" || status === "empty";
}
