import type { ExecutionStatus } from "../core/execution.ts";
import type { QueryReply } from "../core/sql-runner.ts";
import type { TaskOutcome } from "../io/worker-process.ts";

/** A reply of a statement that gave no rows. */
export function endedQuery(status: ExecutionStatus, message: string): QueryReply {
  const execution = { status, message, rows: 0, columns: 0, digest: "", orderedDigest: "" };
  return { execution, columnNames: [], rows: [] };
}

/** Not what the process said before it died: that names files of this machine, and a model reads this. */
const CRASHED = "its process died twice: of memory or a signal";

/**
 * What it means for a statement that its worker was killed twice: over its CPU limit `timeout`, by memory or a
 * signal `crashed`; `null` for an end that is no answer.
 */
export function queryEnd(outcome: TaskOutcome, cpuMs: number): QueryReply | null {
  if (outcome.status !== "killed") return null;
  if (outcome.cause === "cpu") return endedQuery("timeout", `it took more than ${cpuMs} ms of CPU time`);
  return outcome.cause === "crash" ? endedQuery("crashed", CRASHED) : null;
}
