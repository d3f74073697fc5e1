import type { DatabaseSchema } from "../core/database.ts";
import { messageOf } from "../core/errors.ts";
import type { ExecutionLimits, ResultTable } from "../core/execution.ts";
import type { JudgedAnswer } from "../core/judge.ts";
import type { Metric, RunTimes } from "../core/metric.ts";
import type { Verdict } from "../core/verdict.ts";
import { elapsedMs } from "../io/clock.ts";
import { endedTable, SqlEngine } from "../io/sql-engine.ts";
import type { FileFacts } from "../io/file-facts.ts";
import type { ProgressWriter } from "../io/worker-progress.ts";
import { limitsAt } from "./sql-protocol.ts";
import type { JudgedGroup } from "./judged-message.ts";
import type { JudgeGroup, JudgeTask } from "./sql-protocol.ts";
import { rewrittenVerdict } from "./sql-rewritten.ts";
import type { StatementRole } from "./sql-rewritten.ts";
import { isSmall, KeptResults, RewrittenRuns } from "./sql-rewritten-runs.ts";
import { verdictOf } from "./sql-verdict.ts";
import type { JudgedQuestion, RunStatement } from "./sql-verdict.ts";

/** Results with more are judged under a limit of their own, others under that of their statement. */
const MARKED_CELLS = 1000;
const MARKED_COLUMNS = 5;

export interface SqlBatchContext {
  readonly progress: ProgressWriter;
  readonly metrics: ReadonlyMap<string, Metric>;
  readonly schemas: ReadonlyMap<string, DatabaseSchema>;
  /** What is known of the file at a path. */
  readonly factsOf: (path: string) => FileFacts;
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

/** An answer of a group with its golds as published, and what metrics ran beside them. */
interface AnswerRuns {
  readonly group: JudgeGroup;
  readonly gold: readonly RunStatement[];
  readonly predicted: RunStatement;
  readonly rewritten: RewrittenRuns;
}

/**
 * Judges the groups of a task, one after the other, on one fresh connection to a file. Each distinct statement
 * runs once (a large result that is wanted again runs again), each distinct answer of a group is judged once,
 * and an answer with the text of a gold takes the gold's result. What a metric has run instead of a published
 * statement runs beside it where the texts differ.
 */
export class SqlBatch {
  readonly #context: SqlBatchContext;
  readonly #task: JudgeTask;
  readonly #main: OpenedFile;
  /** The other files of the test suite, opened when a metric first wants them. */
  readonly #others = new Map<number, OpenedFile>();
  readonly #wanted = new Map<string, number>();
  readonly #kept = new Map<string, ResultTable>();
  readonly #keptRewritten = new KeptResults();

  constructor(task: JudgeTask, context: SqlBatchContext) {
    this.#context = context;
    this.#task = task;
    this.#main = this.#open(task.path);
    for (const group of task.groups) {
      for (const key of keysOf(group)) this.#wanted.set(key, (this.#wanted.get(key) ?? 0) + 1);
    }
  }

  judge(group: JudgeGroup): JudgedGroup {
    const gold = group.gold.map((sql, index) => ({ sql, table: this.#run(group, index, sql) }));
    const rewritten = new RewrittenRuns();
    const answers = group.predictions.map((sql, index): JudgedAnswer => {
      const statement = group.gold.length + index;
      const sameGold = gold.find((run) => run.sql === sql);
      const table = sameGold?.table ?? this.#run(group, statement, sql);
      return this.#answer(statement, { group, gold, predicted: { sql, table }, rewritten });
    });
    return { id: group.id, gold: gold.map(({ table }) => table.execution), answers };
  }

  close(): void {
    for (const { engine } of [this.#main, ...this.#others.values()]) engine?.close();
  }

  #answer(statement: number, runs: AnswerRuns): JudgedAnswer {
    const { group, gold, predicted } = runs;
    this.#markJudging(group, statement, predicted.table);
    const question: JudgedQuestion = {
      gold,
      predicted,
      schema: this.#schemaOf(group),
      unreadable: this.#main.unreadable,
    };
    const { timingRounds } = group;
    const asked: JudgedQuestion =
      timingRounds === undefined
        ? question
        : { ...question, time: (run) => this.#time(runs, statement, run, timingRounds) };
    const verdicts: Record<string, Verdict> = {};
    for (const id of group.metrics) {
      const metric = this.#context.metrics.get(id) as Metric;
      if (judgesAsPublished(metric)) {
        verdicts[id] = verdictOf(metric, asked);
      } else {
        verdicts[id] = this.#rewrittenVerdict(metric, runs);
        this.#markJudging(group, statement, predicted.table);
      }
    }
    return { execution: predicted.table.execution, verdicts };
  }

  /** Times an answer and a gold in turn, each run on a connection of its own and under the limit of its statement. */
  #time(
    { group, gold, predicted }: AnswerRuns,
    statement: number,
    held: RunStatement,
    rounds: number,
  ): RunTimes {
    const unit = group.firstUnit + statement;
    const goldUnit = group.firstUnit + gold.indexOf(held);
    const times = { gold: [] as number[], predicted: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      times.predicted.push(this.#timeOnce(unit, predicted));
      times.gold.push(this.#timeOnce(goldUnit, held));
    }
    this.#context.progress.mark(unit, "judging");
    return times;
  }

  /** Milliseconds from the statement's text to its last row and the connection's end; a blank text is not run. */
  #timeOnce(unit: number, { sql, table }: RunStatement): number {
    const engine = SqlEngine.open(this.#task.path ?? "", { mode: "query" });
    this.#context.progress.mark(unit, "statement");
    const from = elapsedMs();
    try {
      if (table.execution.columns > 0) engine.readThrough(sql);
    } catch (thrown) {
      if (messageOf(thrown) === OUT_OF_MEMORY) this.#context.outOfMemory();
      throw thrown;
    } finally {
      engine.close();
    }
    return elapsedMs() - from;
  }

  #schemaOf(group: JudgeGroup): DatabaseSchema {
    return this.#context.schemas.get(group.schemaKey) as DatabaseSchema;
  }

  #markJudging(group: JudgeGroup, statement: number, table: ResultTable): void {
    if (isLarge(table)) this.#context.progress.mark(group.firstUnit + statement, "judging");
  }

  #rewrittenVerdict(metric: Metric, runs: AnswerRuns): Verdict {
    const { group, gold, predicted } = runs;
    return rewrittenVerdict(metric, {
      golds: gold.map(({ sql }) => sql),
      prediction: predicted.sql,
      schema: this.#schemaOf(group),
      files: metric.needs.everyFile === true ? 1 + this.#task.morePaths.length : 1,
      unreadable: (file) => this.#fileAt(file).unreadable,
      run: (sql, role, file) => this.#runRewritten(runs, { sql, role, file }),
    });
  }

  #runRewritten(
    runs: AnswerRuns,
    { sql, role, file }: { readonly sql: string; readonly role: StatementRole; readonly file: number },
  ): ResultTable {
    const { group, gold, predicted } = runs;
    const isPublished = role === "prediction" && sql === predicted.sql;
    const published = isPublished ? predicted : gold.find((run) => run.sql === sql);
    if (file === 0 && published !== undefined) return published.table;
    const run = runs.rewritten.runOf(sql, role, file);
    if (run.table !== undefined) return run.table;
    const known = group.known.find((end) => end.statement === run.statement);
    if (known !== undefined) return endedTable(known.status, known.message);
    const { engine, unreadable } = this.#fileAt(file);
    if (engine === null) return endedTable("error", unreadable?.message ?? "");
    const limits = limitsAt(group, run.statement);
    const key = keyOf(sql, limits);
    const fileKey = file === 0 ? key : `file ${file} ${key}`;
    const kept = this.#keptRewritten.get(fileKey) ?? this.#kept.get(fileKey);
    const table = kept ?? this.#runNew(engine, sql, group.firstUnit + run.statement, limits);
    if (kept === undefined) this.#keptRewritten.offer(fileKey, table);
    if (role === "gold" || isSmall(table)) run.table = table;
    this.#markJudging(group, run.statement, table);
    return table;
  }

  #run(group: JudgeGroup, statement: number, sql: string): ResultTable {
    const known = group.known.find((end) => end.statement === statement);
    if (known !== undefined) return endedTable(known.status, known.message);
    const { engine, unreadable } = this.#main;
    if (engine === null) return endedTable("error", unreadable?.message ?? "");
    const limits = limitsAt(group, statement);
    const key = keyOf(sql, limits);
    const later = (this.#wanted.get(key) ?? 1) - 1;
    this.#wanted.set(key, later);
    const kept = this.#kept.get(key) ?? this.#keptRewritten.get(key);
    const table = kept ?? this.#runNew(engine, sql, group.firstUnit + statement, limits);
    if (later === 0) this.#kept.delete(key);
    else if (isSmall(table)) this.#kept.set(key, table);
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

  #fileAt(file: number): OpenedFile {
    if (file === 0) return this.#main;
    let opened = this.#others.get(file);
    if (opened === undefined) {
      opened = this.#open(this.#task.morePaths[file - 1] ?? null);
      this.#others.set(file, opened);
    }
    return opened;
  }

  #open(path: string | null): OpenedFile {
    if (path === null) {
      const message = "there is no file of this database";
      return { engine: null, unreadable: { reason: "database_missing", message } };
    }
    const { progress, factsOf } = this.#context;
    try {
      const engine = SqlEngine.open(path, {
        mode: "query",
        facts: factsOf(path),
        readsAtOnce: !this.#task.sparing,
        onPhase: (phase) => {
          progress.turn(phase);
        },
      });
      return { engine, unreadable: null };
    } catch (thrown) {
      return { engine: null, unreadable: { reason: "database_unreadable", message: messageOf(thrown) } };
    }
  }
}

/** Whether a metric judges the published statements by their results on the main file. */
function judgesAsPublished({ rewrite, needs }: Metric): boolean {
  return rewrite === undefined && needs.everyFile !== true;
}

/** Whether judging a result may take long enough to be held to a limit of its own; a mark costs as much as a small query. */
function isLarge({ execution }: ResultTable): boolean {
  return execution.rows * execution.columns > MARKED_CELLS || execution.columns > MARKED_COLUMNS;
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
