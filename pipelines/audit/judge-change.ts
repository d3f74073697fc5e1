import type { Database } from "../../core/database.ts";
import type { Execution, ExecutionLimits } from "../../core/execution.ts";
import type { Judge, JudgedAnswer, JudgeReply } from "../../core/judge.ts";
import type { Verdict } from "../../core/verdict.ts";
import {
  type ChangeEffect,
  type Consensus,
  type GoldEnding,
  hasRun,
  type ResultRelation,
} from "./release-change.ts";

/** A question under two golds, and what systems answered. */
export interface ChangeRequest {
  /** The database that each gold is asked of; the same unless the release moved the question. */
  readonly databases: { readonly before: Database; readonly after: Database };
  /** Empty where a release has no gold. */
  readonly gold: { readonly before: readonly string[]; readonly after: readonly string[] };
  readonly answers: readonly { readonly system: string; readonly sql: string }[];
  /** The metric that says whether an answer is right. */
  readonly metric: string;
  readonly limits: ExecutionLimits;
}

/** Votes are counted by this metric's idea of the same result. */
const SET_METRIC = "bird-ex";

/** Runs a question's golds and answers and says what the change does. */
export async function judgeChange(judge: Judge, request: ChangeRequest): Promise<ChangeEffect> {
  const before = await judged(judge, request, "before");
  const isSame =
    request.databases.before === request.databases.after &&
    JSON.stringify(request.gold.before) === JSON.stringify(request.gold.after);
  const after = isSame ? before : await judged(judge, request, "after");
  const [old, fresh] = [before?.gold[0] ?? null, after?.gold[0] ?? null];
  const scores = request.answers.map(({ system }, index) => ({
    system,
    before: scoreOf(before?.answers[index]?.verdicts[request.metric]),
    after: scoreOf(after?.answers[index]?.verdicts[request.metric]),
  }));
  const held = before?.answers[request.answers.length]?.verdicts[SET_METRIC];
  return {
    before: endingOf(old),
    after: endingOf(fresh),
    result: relationOf(old, fresh, scoreOf(held) === 1),
    rightBefore: scores.filter((one) => one.before === 1).length,
    rightAfter: scores.filter((one) => one.after === 1).length,
    moved: scores.filter((one) => one.before !== one.after),
    consensus: consensusOf(request, before, after),
  };
}

/** The answers, and last the other side's gold, judged by the golds of one side; `undefined` where it has none. */
async function judged(
  judge: Judge,
  { databases, gold, answers, metric, limits }: ChangeRequest,
  side: "before" | "after",
): Promise<JudgeReply | undefined> {
  if (gold[side].length === 0) return undefined;
  const other = side === "before" ? gold.after : gold.before;
  return judge.judge({
    database: databases[side],
    gold: gold[side],
    predictions: [...answers.map(({ sql }) => sql), ...other.slice(0, 1)],
    metrics: [...new Set([metric, SET_METRIC])],
    goldLimits: limits,
    predictionLimits: limits,
  });
}

function scoreOf(verdict: Verdict | undefined): number | null {
  return verdict?.status === "scored" ? verdict.score : null;
}

function endingOf(execution: Execution | null): GoldEnding | null {
  if (execution === null) return null;
  const { status, message, rows } = execution;
  return { status, message, rows };
}

function relationOf(
  before: Execution | null,
  after: Execution | null,
  isSameSet: boolean,
): ResultRelation | null {
  if (before === null || after === null || !hasRun(before) || !hasRun(after)) return null;
  if (before.orderedDigest === after.orderedDigest) return "same_order";
  if (before.digest === after.digest) return "same_rows";
  return isSameSet ? "same_set" : "different";
}

/** The largest group of answers with the same rows, where at least half of the voters and two are in it. */
function consensusOf(
  { answers }: ChangeRequest,
  before: JudgeReply | undefined,
  after: JudgeReply | undefined,
): Consensus | null {
  const reply = after ?? before;
  if (reply === undefined) return null;
  const groups = new Map<string, number[]>();
  let voters = 0;
  for (const index of answers.keys()) {
    const { execution } = reply.answers[index] as JudgedAnswer;
    if (!hasRun(execution)) continue;
    voters += 1;
    const key = `${execution.columns} ${execution.digest}`;
    groups.set(key, [...(groups.get(key) ?? []), index]);
  }
  const [first, second] = [...groups.values()].sort((left, right) => right.length - left.length);
  if (first === undefined || first.length < 2 || first.length * 2 < voters) return null;
  if (second !== undefined && second.length === first.length) return null;
  const [leader = 0] = first;
  const agrees = (side: JudgeReply | undefined): boolean =>
    scoreOf(side?.answers[leader]?.verdicts[SET_METRIC]) === 1;
  return {
    voters,
    votes: first.length,
    sql: answers[leader]?.sql ?? "",
    agreesWithBefore: agrees(before),
    agreesWithAfter: agrees(after),
  };
}
