import type { Database } from "./database.ts";
import type { Execution, ExecutionLimits } from "./execution.ts";
import type { Verdict } from "./verdict.ts";

/** Answers to one question, to be judged together so that gold runs once and equal answers run once. */
export interface JudgeRequest {
  readonly database: Database;
  /** Accepted golds, at least one; an answer gets the best verdict over those that run. */
  readonly gold: readonly string[];
  readonly predictions: readonly string[];
  readonly metrics: readonly string[];
  readonly goldLimits: ExecutionLimits;
  readonly predictionLimits: ExecutionLimits;
  /**
   * How often gold and prediction are timed for metrics that need `timings`; left out, nothing is timed and those
   * metrics have no score.
   */
  readonly timingRounds?: number;
}

/** One answer judged. `verdicts` has every metric asked for. */
export interface JudgedAnswer {
  readonly execution: Execution;
  readonly verdicts: Readonly<Record<string, Verdict>>;
}

/** In the order of the request. */
export interface JudgeReply {
  readonly gold: readonly Execution[];
  readonly answers: readonly JudgedAnswer[];
}

/** The port that runs SQL and judges it. Never throws for what a statement does. */
export interface Judge {
  judge(request: JudgeRequest): Promise<JudgeReply>;
}
