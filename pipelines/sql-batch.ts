import type { DatabaseSchema } from "../core/database.ts";
import { messageOf } from "../core/errors.ts";
import type { ExecutionLimits, ResultTable } from "../core/execution.ts";
import type { JudgedAnswer } from "../core/judge.ts";
import type { Metric } from "../core/metric.ts";
import type { Verdict } from "../core/verdict.ts";
import { endedTable, SqlEngine } from "../io/sql-engine.ts";
import type { FileFacts } from "../io/file-facts.ts";
import type { ProgressWriter } from "../io/worker-progress.ts";
import { limitsAt } from "./sql-protocol.ts";
import type { JudgedGroup, JudgeGroup, JudgeTask } from "./sql-protocol.ts";
import { rewrittenVerdict } from "./sql-rewritten.ts";
import { RewrittenRuns } from "./sql-rewritten-runs.ts";
import type { RewrittenRun } from "./sql-rewritten-runs.ts";
import { verdictOf } from "./sql-verdict.ts";
import type { JudgedQuestion, RunStatement } from "./sql-verdict.ts";

/** The largest result that is kept for a later group that has the same statement. */
const KEPT_ROWS = 2000;

/** Results with more are judged under a limit of their own, others under that of their statement. */
const MARKED_CELLS = 1000;
const MARKED_COLUMNS = 5;

export interface SqlBatchContext {
  readonly progress: ProgressWriter;
  readonly metrics: ReadonlyMap<string, Metric>;
  readonly schemas: ReadonlyMap<string, DatabaseSchema>;
  /** What is known of the file at a path. */
  factsOf(path: string): FileFacts;
  /** Ends the process: what memory was left to a statement depends on those before it, so it runs again alone. */
  outOfMemory(): never;
}

/** What SQLite says when it gets no memory. */
const OUT_OF_MEMORY = "out of memory";

/** A file's engine, or why there is none. */
interface OpenedFile {
  readonly engine: SqlEngine | null;
  readonly unreadable: JudgedQuestion["unreadable"];
}

/** A group's statements as published, with what its metrics ran beside them. */
interface GroupRuns {
  readonly gold: readonly RunStatement[];
  readonly rewritten: RewrittenRuns;
}

/**
 * Judges the groups of a task, one after the other, on one fresh connection to each file. Each distinct
 * statement runs once (a large result that is wanted again runs again), each distinct answer of a group is
 * judged once, and an answer with the text of a gold takes the gold's result.
 */
export class SqlBatch {
  readonly #context: SqlBatchContext;
  readonly #task: JudgeTask;
  /** The main file first; the others are opened when a metric wants them. */
  readonly #files: OpenedFile[];
  readonly #wanted = new Map<string, number>();
  readonly #kept = new Map<string, ResultTable>();
  readonly #rewritten = RewrittenRuns.ofBatch();

  constructor(task: JudgeTask, context: SqlBatchContext) {
    this.#context = context;
    this.#task = task;
    this.#files = [this.#open(task.path)];
    for (const group of task.groups) {
      for (const key of keysOf(group)) this.#wanted.set(key, (this.#wanted.get(key) ?? 0) + 1);
    }
  }
