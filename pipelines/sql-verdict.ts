import type { DatabaseSchema } from "../core/database.ts";
import { GradusError, messageOf } from "../core/errors.ts";
import type { ResultTable } from "../core/execution.ts";
import type { JudgedPair, Metric, RunTimes } from "../core/metric.ts";
import { scored, unscored } from "../core/verdict.ts";
import type { Verdict } from "../core/verdict.ts";

/** A statement with its result. */
export interface RunStatement {
  readonly sql: string;
  readonly table: ResultTable;
}

export interface JudgedQuestion {
  readonly gold: readonly RunStatement[];
  readonly predicted: RunStatement;
  readonly schema: DatabaseSchema;
  /** Why nothing could run (`database_missing`, `database_unreadable`); `null` when the database is open. */
  readonly unreadable: { readonly reason: string; readonly message: string } | null;
  /** Takes the times of a gold and the prediction; left out where nothing is timed. */
  readonly time?: (gold: RunStatement) => RunTimes;
}

/**
 * What a metric says of an answer: the best verdict over the accepted golds. A metric that needs rows is
 * asked only where both statements ended by themselves; for the rest, in this order:
 *
 * | gold | prediction | verdict |
 * | --- | --- | --- |
 * | database without a readable file | any | unscored, `database_missing` or `database_unreadable` |
 * | `error`, `denied`, `timeout`, `too_large`, `crashed`, every one | any | unscored, `gold_` and the status of the first |
 * | ran | `error`, `denied`, `timeout` | scored, 0 |
 * | ran | `crashed` | unscored, `prediction_crashed` |
 * | ran | `too_large` | the metric, with the prediction's stream; 0 when the stream fails |
 *
 * A metric that needs no rows is asked whatever the statements did. One that throws is unscored,
 * `metric_failed`.
 */
export function verdictOf(metric: Metric, question: JudgedQuestion): Verdict {
  if (question.gold.length === 0) return unscored("gold_missing", "there is no gold to judge by");
  if (!metric.needs.rows) return bestOf(metric, question, question.gold);
  const { unreadable, predicted } = question;
  if (unreadable !== null) return unscored(unreadable.reason, unreadable.message);
  const ran = question.gold.filter(({ table }) => hasRun(table));
  if (ran.length === 0) {
    const { status, message } = (question.gold[0] as RunStatement).table.execution;
    return unscored(`gold_${status}`, message);
  }
  const { status, message } = predicted.table.execution;
  if (status === "crashed") return unscored("prediction_crashed", message);
  if (!hasRun(predicted.table) && status !== "too_large") return scored(0);
  return bestOf(metric, question, ran);
}

function hasRun(table: ResultTable): boolean {
  return table.execution.status === "ok" || table.execution.status === "empty";
}

function bestOf(metric: Metric, question: JudgedQuestion, golds: readonly RunStatement[]): Verdict {
  let best: Verdict | undefined;
  for (const gold of golds) {
    const verdict = ask(metric, question, gold);
    best = best === undefined ? verdict : betterOf(best, verdict);
  }
  return best as Verdict;
}

/** The second verdict when it has a higher score, or a score where the first has none; else the first. */
export function betterOf(first: Verdict, second: Verdict): Verdict {
  if (second.status !== "scored") return first;
  return first.status !== "scored" || second.score > first.score ? second : first;
}

function ask(metric: Metric, { predicted, schema, time }: JudgedQuestion, gold: RunStatement): Verdict {
  const pair: JudgedPair = {
    goldSql: gold.sql,
    predictedSql: predicted.sql,
    gold: gold.table,
    predicted: predicted.table,
    schema,
  };
  const isTimed = metric.needs.timings === true && time !== undefined;
  try {
    return metric.judge(isTimed ? { ...pair, time: () => time(gold) } : pair);
  } catch (thrown) {
    if (thrown instanceof GradusError && thrown.code === "SQL_STATEMENT_FAILED") return scored(0);
    return unscored("metric_failed", messageOf(thrown));
  }
}
