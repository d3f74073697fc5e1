import type { DatabaseSchema } from "../core/database.ts";
import type { GradusError } from "../core/errors.ts";
import type { JudgeReply } from "../core/judge.ts";
import type { ExecutionLimits } from "../core/execution.ts";
import type { ProgressMark } from "../io/worker-progress.ts";
import { limitsAt } from "./sql-protocol.ts";
import type { JudgedGroup } from "./judged-message.ts";
import type { KnownEnd } from "./sql-protocol.ts";

/** The most requests that a worker gets at once. */
const MAX_BATCH = 64;

/** A unit that kills its worker this often, the last time alone in a fresh one, is known by that. */
const STRIKES = 2;

/** A judge request that waits or runs. */
export interface PendingGroup {
  readonly id: number;
  readonly path: string | null;
  /** The other files of its test suite; none when no metric judges on them. */
  readonly morePaths: readonly string[];
  readonly schema: DatabaseSchema;
  readonly schemaKey: string;
  readonly gold: readonly string[];
  readonly predictions: readonly string[];
  readonly metrics: readonly string[];
  readonly goldLimits: ExecutionLimits;
  readonly predictionLimits: ExecutionLimits;
  readonly timingRounds?: number | undefined;
  readonly known: KnownEnd[];
  /** Statement to how often it killed its worker. */
  readonly strikes: Map<number, number>;
  /** How often its worker died of something that says nothing of a statement. */
  mishaps: number;
  settled: boolean;
  resolve(judged: JudgedGroup): void;
  reject(error: GradusError): void;
}

/** Waiting requests: those on one database go together, in the order of their arrival. */
export class JudgeQueue {
  readonly #byPath = new Map<string | null, PendingGroup[]>();
  readonly #alone: PendingGroup[] = [];

  add(group: PendingGroup): void {
    const waiting = this.#byPath.get(group.path);
    if (waiting === undefined) this.#byPath.set(group.path, [group]);
    else waiting.push(group);
  }

  /** Puts requests back in front of the others of their database. */
  putBack(groups: readonly PendingGroup[]): void {
    const path = groups[0]?.path;
    if (path === undefined) return;
    this.#byPath.set(path, [...groups, ...(this.#byPath.get(path) ?? [])]);
  }

  /** Puts a request back to run alone in a fresh process. */
  putBackAlone(group: PendingGroup): void {
    this.#alone.push(group);
  }

  /** The requests for a free worker, shared out where `workers` are free; empty when none wait. */
  take(workers: number): { readonly groups: readonly PendingGroup[]; readonly alone: boolean } {
    const single = this.#alone.shift();
    if (single !== undefined) return { groups: [single], alone: true };
    for (const [path, waiting] of this.#byPath) {
      const count = Math.min(MAX_BATCH, Math.ceil(waiting.length / Math.max(1, workers)));
      const groups = waiting.splice(0, count);
      if (waiting.length === 0) this.#byPath.delete(path);
      if (groups.length > 0) return { groups, alone: false };
    }
    return { groups: [], alone: false };
  }

  /** Takes out everything. */
  drain(): PendingGroup[] {
    const groups = [...this.#alone, ...[...this.#byPath.values()].flat()];
    this.#alone.length = 0;
    this.#byPath.clear();
    return groups;
  }
}

/**
 * Notes that a statement of `group` killed its worker. The second time it is known: `timeout` when it ran
 * over its CPU limit, `crashed` otherwise.
 */
export function strike(
  group: PendingGroup,
  statement: number,
  death: { readonly cause: "cpu" | "crash"; readonly phase: ProgressMark["phase"] },
): void {
  const strikes = (group.strikes.get(statement) ?? 0) + 1;
  group.strikes.set(statement, strikes);
  if (strikes < STRIKES) return;
  if (death.cause === "crash") {
    group.known.push({
      statement,
      status: "crashed",
      message: "its process died twice: of memory or a signal",
    });
  } else if (death.phase === "judging") {
    group.known.push({ statement, status: "crashed", message: "judging its result took too much CPU time" });
  } else {
    const { cpuMs } = limitsAt(group, statement);
    group.known.push({ statement, status: "timeout", message: `more than ${cpuMs} ms of CPU time` });
  }
}

/** The reply to a request, whose predictions may be equal, from what was judged of its distinct ones. */
export function replyOf(group: PendingGroup, all: readonly string[], judged: JudgedGroup): JudgeReply {
  const places = new Map(group.predictions.map((sql, index) => [sql, index]));
  return {
    gold: judged.gold,
    answers: all.map((sql) => judged.answers[places.get(sql) as number] as JudgeReply["answers"][number]),
  };
}
