import type { DatabaseSchema } from "../core/database.ts";
import { messageOf } from "../core/errors.ts";
import type { ResultTable } from "../core/execution.ts";
import type { Metric, Rewriting } from "../core/metric.ts";
import { scored, unscored } from "../core/verdict.ts";
import type { Verdict } from "../core/verdict.ts";
import { betterOf, verdictOf } from "./sql-verdict.ts";
import type { JudgedQuestion } from "./sql-verdict.ts";

export type StatementRole = "gold" | "prediction";

/** A question to a metric that rewrites statements or judges on every file of a database. */
export interface RewrittenQuestion {
  /** As published. */
  readonly golds: readonly string[];
  readonly prediction: string;
  readonly schema: DatabaseSchema;
  /** Why the file at an index cannot be read; `null` when it can. Index 0 is the main file. */
  readonly unreadable: (file: number) => JudgedQuestion["unreadable"];
  /** How many files there are, at least one. */
  readonly files: number;
  /** Runs a statement on a file, or remembers its result. */
  run(sql: string, role: StatementRole, file: number): ResultTable;
}

/**
 * What a metric that rewrites statements says of an answer: the best verdict over the accepted golds and the forms of
 * the prediction, each the lowest over the files. What runs is as little as settles it: files up to the first that
 * gives 0 or no score, forms up to the first that scores 1, and no form where the gold failed. On each file the rules
 * are those of {@link verdictOf}.
 */
export function rewrittenVerdict(metric: Metric, question: RewrittenQuestion): Verdict {
  let best: Verdict = unscored("gold_missing", "there is no gold to judge by");
  question.golds.forEach((gold, index) => {
    const verdict = overForms(metric, question, gold);
    best = index === 0 ? verdict : betterOf(best, verdict);
  });
  return best;
}

function overForms(metric: Metric, question: RewrittenQuestion, gold: string): Verdict {
  try {
    const rewriting = rewrite(metric, gold, question.prediction);
    if ("status" in rewriting) return rewriting;
    const { goldSql, predictedSql, omitted } = rewriting;
    let best = 0;
    let doubt = omitted;
    for (const form of predictedSql) {
      const { verdict, settled } = overFiles(metric, question, { gold: goldSql, prediction: form });
      if (settled) return verdict;
      if (verdict.status === "scored") best = Math.max(best, verdict.score);
      else doubt ??= verdict;
    }
    return doubt ?? scored(best);
  } catch (thrown) {
    return unscored("metric_failed", messageOf(thrown));
  }
}

function rewrite(
  metric: Metric,
  gold: string,
  prediction: string,
): ReturnType<NonNullable<Metric["rewrite"]>> {
  const asPublished: Rewriting = { goldSql: gold, predictedSql: [prediction], omitted: null };
  return metric.rewrite?.(gold, prediction) ?? asPublished;
}

/** The lowest verdict of one form; `settled` when no other form can change it: it scored 1, or the gold failed. */
function overFiles(
  metric: Metric,
  question: RewrittenQuestion,
  { gold, prediction }: { readonly gold: string; readonly prediction: string },
): { readonly verdict: Verdict; readonly settled: boolean } {
  let lowest = 1;
  for (let file = 0; file < question.files; file += 1) {
    const unreadable = question.unreadable(file);
    if (unreadable !== null) {
      return { verdict: unscored(unreadable.reason, unreadable.message), settled: true };
    }
    const { schema } = question;
    const goldRun = { sql: gold, table: question.run(gold, "gold", file) };
    const { status, message } = goldRun.table.execution;
    if (status !== "ok" && status !== "empty") {
      return { verdict: unscored(`gold_${status}`, message), settled: true };
    }
    const predicted = { sql: prediction, table: question.run(prediction, "prediction", file) };
    const verdict = verdictOf(metric, { gold: [goldRun], predicted, schema, unreadable: null });
    if (verdict.status === "unscored" || verdict.score === 0) return { verdict, settled: false };
    lowest = Math.min(lowest, verdict.score);
  }
  return { verdict: scored(lowest), settled: lowest === 1 };
}
