import type { DatabaseSchema } from "./database.ts";
import type { ResultTable } from "./execution.ts";
import type { LabelVerdict, Unscored, Verdict } from "./verdict.ts";

/** Run times of a gold and a prediction in any one unit; those at one index are of one round. */
export interface RunTimes {
  readonly gold: readonly number[];
  readonly predicted: readonly number[];
}

/** The answer under judgement and the gold that it is held against, with their results. */
export interface JudgedPair {
  readonly goldSql: string;
  readonly predictedSql: string;
  readonly gold: ResultTable;
  readonly predicted: ResultTable;
  readonly schema: DatabaseSchema;
  /**
   * Runs both statements in turn, as many rounds as the request asks for, and takes their times. There only for
   * metrics that need `timings`, and where the request has them taken. Throws SQL_STATEMENT_FAILED when one fails.
   */
  readonly time?: () => RunTimes;
}

/** What a metric has run in place of the published statements of an answer and its gold. */
export interface Rewriting {
  readonly goldSql: string;
  /** Forms of the prediction: the answer has the best score over them, found by trying them in turn until one scores 1. */
  readonly predictedSql: Iterable<string>;
  /** Why there are forms that are not listed, the verdict where no listed one scores 1; `null` when all are. */
  readonly omitted: Unscored | null;
}

/**
 * A metric judges one answer against one gold. It is called next to the rows, in the worker process, only
 * when both statements ended by themselves: infrastructure failures never reach it.
 */
export interface Metric {
  readonly kind: "metric";
  readonly id: string;
  /** Bumped when a verdict can change. */
  readonly version: number;
  /**
   * What the worker must prepare. `everyFile`: an answer is judged on every file of its database, a test suite
   * of several, and has the lowest score over them; otherwise on the main file alone. `timings`: the metric
   * measures run times on the main file, so that its verdicts differ from one judgement to the next: none is
   * remembered, and no stage takes such a metric.
   */
  readonly needs: { readonly rows: boolean; readonly everyFile?: boolean; readonly timings?: boolean };
  /** How it departs from the official evaluator, printed beside its scores; empty when it does not. */
  readonly deviations: readonly string[];
  /**
   * The score that the official evaluator gives when the gold itself fails. `gradus score` gives it; elsewhere
   * such an answer has none, since the fault is not the model's. Left out where the evaluator gives none either.
   */
  readonly officialWhenGoldFails?: number;
  /**
   * What to run instead of the published statements, for metrics that rewrite them first; why there is nothing
   * to run otherwise. `judge` then gets the rewritten texts with their results. Left out, they run as published.
   */
  readonly rewrite?: (goldSql: string, predictedSql: string) => Rewriting | Unscored;
  judge(pair: JudgedPair): Verdict;
}

/** A label classifies a gold by its text and schema, or by what its dataset says of it, without running it. */
export interface Label {
  readonly kind: "label";
  readonly id: string;
  readonly version: number;
  /** The possible labels, easiest first. */
  readonly levels: readonly string[];
  /** `difficulty`: the dataset's own label of the example; `null` or left out where it has none. */
  label(goldSql: string, schema: DatabaseSchema, difficulty?: string | null): LabelVerdict;
}

/** Types a metric plug; the file's stem is its id. */
export function defineMetric(metric: Omit<Metric, "kind">): Metric {
  return { kind: "metric", ...metric };
}

/** Types a label plug; the file's stem is its id. */
export function defineLabel(label: Omit<Label, "kind">): Label {
  return { kind: "label", ...label };
}
