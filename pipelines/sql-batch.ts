import type { DatabaseSchema } from "../core/database.ts";
import { messageOf } from "../core/errors.ts";
import type { ExecutionLimits, ResultTable } from "../core/execution.ts";
import type { JudgedAnswer } from "../core/judge.ts";
import type { Metric } from "../core/metric.ts";
import type { Verdict } from "../core/verdict.ts";
import { endedTable, SqlEngine } from "../io/sql-engine.ts";
import type { FileFacts } from "../io/file-facts.ts";
import type { ProgressWriter } from "../io/worker-progress.ts";
import type { JudgedGroup, JudgeGroup, JudgeTask } from "./sql-protocol.ts";
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
  readonly facts: FileFacts;
  /** Ends the process: what memory was left to a statement depends on those before it, so it runs again alone. */
  outOfMemory(): never;
}

/** What SQLite says when it gets no memory. */
const OUT_OF_MEMORY = "out of memory";

/**
 * Judges the groups of a task, one after the other, on one fresh connection. Each distinct statement runs
 * once (a large result that is wanted again runs again), each distinct answer of a group is judged once, and
 * an answer with the text of a gold takes the gold's result.
 */
export class SqlBatch {
  readonly #context: SqlBatchContext;
  readonly #engine: SqlEngine | null;
  readonly #unreadable: JudgedQuestion["unreadable"];
  readonly #wanted = new Map<string, number>();
  readonly #kept = new Map<string, ResultTable>();

  constructor(task: JudgeTask, context: SqlBatchContext) {
    this.#context = context;
    const opened = open(task, context);
    this.#engine = opened.engine;
    this.#unreadable = opened.unreadable;
    for (const group of task.groups) {
      for (const key of keysOf(group)) this.#wanted.set(key, (this.#wanted.get(key) ?? 0) + 1);
    }
  }

  judge(group: JudgeGroup): JudgedGroup {
    const gold = group.gold.map((sql, index) => ({ sql, table: this.#run(group, index, sql) }));
    const answers = group.predictions.map((sql, index): JudgedAnswer => {
      const statement = group.gold.length + index;
      const sameGold = gold.find((run) => run.sql === sql);
      const table = sameGold?.table ?? this.#run(group, statement, sql);
      return this.#answer(group, statement, { gold, predicted: { sql, table } });
    });
    return { id: group.id, gold: gold.map(({ table }) => table.execution), answers };
  }

  close(): void {
    this.#engine?.close();
  }

  #answer(
    group: JudgeGroup,
    statement: number,
    runs: { readonly gold: readonly RunStatement[]; readonly predicted: RunStatement },
  ): JudgedAnswer {
    const { progress, metrics, schemas } = this.#context;
    if (isLarge(runs.predicted.table)) progress.mark(group.firstUnit + statement, "judging");
    const question: JudgedQuestion = {
      ...runs,
      schema: schemas.get(group.schemaKey) as DatabaseSchema,
      unreadable: this.#unreadable,
    };
    const verdicts: Record<string, Verdict> = {};
    for (const id of group.metrics) verdicts[id] = verdictOf(metrics.get(id) as Metric, question);
    return { execution: runs.predicted.table.execution, verdicts };
  }

  #run(group: JudgeGroup, statement: number, sql: string): ResultTable {
    const known = group.known.find((end) => end.statement === statement);
    if (known !== undefined) return endedTable(known.status, known.message);
    if (this.#engine === null) return endedTable("error", this.#unreadable?.message ?? "");
    const limits = limitsOf(group, statement);
    const key = keyOf(sql, limits);
    const later = (this.#wanted.get(key) ?? 1) - 1;
    this.#wanted.set(key, later);
    const table = this.#kept.get(key) ?? this.#runNew(this.#engine, sql, group.firstUnit + statement, limits);
    if (later === 0) this.#kept.delete(key);
    else if (table.rows.length <= KEPT_ROWS) this.#kept.set(key, table);
    return table;
  }

  #runNew(engine: SqlEngine, sql: string, unit: number, limits: ExecutionLimits): ResultTable {
    const { progress } = this.#context;
    progress.mark(unit, "statement");
    const table = engine.run(sql, limits);
    if (table.execution.status === "error" && table.execution.message === OUT_OF_MEMORY) {
      return this.#context.outOfMemory();
    }
    if (table.execution.status !== "too_large") return table;
    const stream = (): ReturnType<typeof table.stream> => {
      progress.turn("statement");
      return table.stream();
    };
    return { ...table, stream };
  }
}

/** Whether judging a result may take long enough to be held to a limit of its own; a mark costs as much as a small query. */
function isLarge({ execution, rows }: ResultTable): boolean {
  return rows.length * execution.columns > MARKED_CELLS || execution.columns > MARKED_COLUMNS;
}

function limitsOf(group: JudgeGroup, statement: number): ExecutionLimits {
  return statement < group.gold.length ? group.goldLimits : group.predictionLimits;
}

function keyOf(sql: string, limits: ExecutionLimits): string {
  return `${limits.cpuMs} ${limits.maxRows} ${limits.maxBytes} ${sql}`;
}

/** The key of every run that a group asks for. */
function keysOf(group: JudgeGroup): string[] {
  const golds = group.gold.map((sql) => keyOf(sql, group.goldLimits));
  const others = group.predictions.filter((sql) => !group.gold.includes(sql));
  return [...golds, ...others.map((sql) => keyOf(sql, group.predictionLimits))];
}

function open(
  { path, sparing }: JudgeTask,
  { progress, facts }: SqlBatchContext,
): { engine: SqlEngine | null; unreadable: JudgedQuestion["unreadable"] } {
  if (path === null) {
    const message = "there is no file of this database";
    return { engine: null, unreadable: { reason: "database_missing", message } };
  }
  try {
    const engine = SqlEngine.open(path, {
      mode: "query",
      facts,
      readsAtOnce: !sparing,
      onPhase: (phase) => {
        progress.turn(phase);
      },
    });
    return { engine, unreadable: null };
  } catch (thrown) {
    return { engine: null, unreadable: { reason: "database_unreadable", message: messageOf(thrown) } };
  }
}
