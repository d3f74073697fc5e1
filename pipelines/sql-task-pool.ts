import { GradusError } from "../core/errors.ts";
import type { TaskOutcome } from "../io/worker-process.ts";
import type { SqlPart, SqlTask } from "./sql-protocol.ts";

/** Worker processes that run tasks on databases. */
export interface TaskPool {
  /**
   * The file to read a database from: itself, or a settled copy of one with a journal; `null` when it has none.
   * @throws SQL_JUDGE_CLOSED.
   */
  readableFile(databaseId: string): Promise<string | null>;
  /**
   * Runs a task, a second time in a fresh process when its worker died. `limitMs`: CPU time of what the worker
   * is at, from one mark of its progress to the next.
   */
  attempt(task: SqlTask, onPart: (part: SqlPart) => void, limitMs: number): Promise<TaskOutcome>;
}

/** What requests are rejected with when the pool was closed. */
export function closed(): GradusError {
  return new GradusError("SQL_JUDGE_CLOSED", "the judge was closed before it answered");
}

/** What an outcome that is no answer is thrown as: SQL_JUDGE_CLOSED, SQL_WORKER_STUCK, SQL_WORKER_FAILED, or its own code. */
export function failure(outcome: TaskOutcome): GradusError {
  if (outcome.status === "killed" && outcome.cause === "closed") return closed();
  if (outcome.status === "killed" && outcome.cause === "stuck") {
    return new GradusError(
      "SQL_WORKER_STUCK",
      "a worker process made no progress for long without using its CPU time, twice",
      { hint: "the disk or the machine may be overloaded: run the same command again" },
    );
  }
  if (outcome.status === "failed") return new GradusError(outcome.code, outcome.message);
  const message = outcome.status === "killed" ? outcome.message : "the worker process left requests open";
  return new GradusError("SQL_WORKER_FAILED", message, {
    hint: "check that the package is built (npm run build) and that memory is left",
  });
}
