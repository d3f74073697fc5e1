import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Database, DatabaseSchema } from "../core/database.ts";
import { GradusError } from "../core/errors.ts";
import type { DatabaseInspector, InspectRequest } from "../core/inspector.ts";
import type { Judge, JudgeReply, JudgeRequest } from "../core/judge.ts";
import { sha256 } from "../core/key.ts";
import type { PlugFinder } from "../core/plug.ts";
import type { QueryReply, QueryRequest, SqlRunner } from "../core/sql-runner.ts";
import { copyDatabase, databaseBytes, databaseFileKind } from "../io/database-files.ts";
import { unreadable } from "../io/inspect-database.ts";
import { testSuiteNeighbours } from "../io/locate-test-suite.ts";
import { limitsReport } from "../io/process-limits.ts";
import type { ProcessLimits } from "../io/process-limits.ts";
import { WorkerHost } from "../io/worker-host.ts";
import type { TaskOutcome, WorkerTask } from "../io/worker-process.ts";
import { type JudgedGroup, judgedGroup } from "./judged-message.ts";
import { createPlugFinder } from "./plugs.ts";
import { JudgeQueue, replyOf, strike } from "./sql-judge-queue.ts";
import type { PendingGroup } from "./sql-judge-queue.ts";
import { endedQuery, queryEnd } from "./sql-query.ts";
import { limitAt, placeOf, SCAN_LIMIT_MS, scanLimitMs } from "./sql-judge-limits.ts";
import { GROUP_UNITS } from "./sql-protocol.ts";
import type { JudgeGroup, JudgeTask, SqlPart, SqlTask } from "./sql-protocol.ts";
import { closed, failure, type TaskPool } from "./sql-task-pool.ts";

export interface SqlJudgeOptions {
  /** Worker processes, at least 1. */
  readonly workers: number;
  /** The file of a database; `null` when it has none. */
  readonly databasePath: (databaseId: string) => string | null;
  /** Every file of a database's test suite, the one of `databasePath` among them; that one alone when left out. */
  readonly databasePaths?: (databaseId: string) => readonly string[];
  /** The compiled worker module; found beside this one, or in `dist/`, when left out. */
  readonly workerPath?: string;
  /** Ends everything, as `close` does. */
  readonly signal?: AbortSignal;
  readonly limits?: Partial<ProcessLimits>;
  /** Wall-clock time that a statement may take beyond ten times its CPU limit, milliseconds. */
  readonly wallGraceMs?: number;
}

export interface SqlJudge extends Judge, DatabaseInspector, SqlRunner, TaskPool {
  /** Ends every worker process; what waits is rejected with SQL_JUDGE_CLOSED. */
  close(): Promise<void>;
  /** What this system cannot enforce, a sentence each. */
  report(): readonly string[];
  /** Process ids of the workers that live. */
  processIds(): readonly number[];
}

/** Schemas that a worker keeps. */
const KEPT_SCHEMAS = 256;

const ATTEMPTS = 2;

/**
 * A judge and inspector over a pool of worker processes.
 *
 * `judge` rejects with PLUG_UNKNOWN or PLUG_MALFORMED for a metric that is none, SQL_WORKER_STUCK when a
 * worker twice made no progress on a request without using CPU, SQL_WORKER_FAILED when workers cannot start
 * or fail, SQL_JUDGE_CLOSED after `close`; never for what a statement does.
 */
export function createSqlJudge(options: SqlJudgeOptions): SqlJudge {
  return new PooledSqlJudge(options);
}

class PooledSqlJudge implements SqlJudge {
  readonly #options: SqlJudgeOptions;
  readonly #host: WorkerHost;
  readonly #plugs: PlugFinder = createPlugFinder();
  readonly #queue = new JudgeQueue();
  readonly #tasks: WorkerTask[] = [];
  readonly #running = new Set<PendingGroup>();
  readonly #readable = new Map<string, Promise<string>>();
  readonly #scanMs = new Map<string, number>();
  readonly #schemaKeys = new WeakMap<DatabaseSchema, string>();
  readonly #judgedSchemas = new WeakMap<DatabaseSchema, DatabaseSchema>();
  readonly #schemasOf = new WeakMap<object, Set<string>>();
  #groups = 0;
  #closed = false;
  #woken = false;

  constructor(options: SqlJudgeOptions) {
    this.#options = options;
    this.#host = new WorkerHost({ ...options, workerPath: options.workerPath ?? defaultWorkerPath() }, () =>
      this.#next(),
    );
    options.signal?.addEventListener("abort", () => void this.close(), { once: true });
    if (options.signal?.aborted === true) void this.close();
  }

  report(): readonly string[] {
    return limitsReport();
  }

  processIds(): readonly number[] {
    return this.#host.processIds;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const group of this.#queue.drain()) group.reject(closed());
    for (const task of this.#tasks.splice(0)) {
      task.onEnd({ status: "killed", cause: "closed", mark: null, message: "" });
    }
    await this.#host.close();
  }

  async judge(request: JudgeRequest): Promise<JudgeReply> {
    let onEveryFile = false;
    for (const id of new Set(request.metrics)) {
      const plug = await this.#plugs.find("metric", id);
      if (plug.kind !== "metric") {
        throw new GradusError("PLUG_MALFORMED", `"${id}" is a label, expected a metric`);
      }
      onEveryFile ||= plug.needs.everyFile === true;
    }
    const files = await this.#filesOf(request.database, onEveryFile);
    if (this.#closed) throw closed();
    const judged = await new Promise<{ group: PendingGroup; judged: JudgedGroup }>((resolve, reject) => {
      const group = this.#pending(request, files, {
        resolve: (result) => {
          resolve({ group, judged: result });
        },
        reject,
      });
      this.#queue.add(group);
      this.#wake();
    });
    return replyOf(judged.group, request.predictions, judged.judged);
  }

  async inspect(request: InspectRequest): Promise<Database> {
    const { path: file } = request;
    const kind = file === null ? "missing" : await databaseFileKind(file);
    if (file === null || kind === "missing") {
      return unreadable(request, "missing", "there is no file of this database");
    }
    let copyPath: string | null = null;
    if (kind === "journaled") copyPath = await this.#readablePath(file);
    let database: Database | undefined;
    const take = (part: SqlPart): void => {
      if (part.kind === "inspected") database = part.database;
    };
    const files = [file, ...testSuiteNeighbours(file)];
    const bytes = await Promise.all(files.map((one) => databaseBytes(one)));
    const limitMs = scanLimitMs(bytes.reduce((sum, one) => sum + one, 0));
    const outcome = await this.attempt({ kind: "inspect", request, copyPath }, take, limitMs);
    if (database !== undefined) return database;
    if (outcome.status === "killed" && (outcome.cause === "crash" || outcome.cause === "cpu")) {
      return unreadable(request, "corrupt", "reading it killed the worker process twice");
    }
    throw failure(outcome);
  }

  async query({ database, ...request }: QueryRequest): Promise<QueryReply> {
    if (this.#closed) throw closed();
    const file = this.#options.databasePath(database.databaseId);
    if (file === null) return endedQuery("error", "the database has no file");
    let reply: QueryReply | undefined;
    const task = { kind: "query", path: await this.#readablePath(file), ...request } as const;
    const take = (part: SqlPart): void => {
      if (part.kind === "queried") reply = part.reply;
    };
    const outcome = await this.attempt(task, take, request.limits.cpuMs);
    if (reply !== undefined) return reply;
    return queryEnd(outcome, request.limits.cpuMs) ?? Promise.reject(failure(outcome));
  }

  async readableFile(databaseId: string): Promise<string | null> {
    if (this.#closed) throw closed();
    const file = this.#options.databasePath(databaseId);
    return file === null ? null : this.#readablePath(file);
  }

  async #filesOf(
    { databaseId, bytes }: Database,
    onEveryFile: boolean,
  ): Promise<Pick<PendingGroup, "path" | "morePaths">> {
    const file = this.#options.databasePath(databaseId);
    if (file === null) return { path: null, morePaths: [] };
    const readable = await this.#readablePath(file);
    this.#scanMs.set(readable, scanLimitMs(bytes));
    const others = onEveryFile ? (this.#options.databasePaths?.(databaseId) ?? []) : [];
    const morePaths = others.filter((other) => other !== file).map((other) => this.#readablePath(other));
    return { path: readable, morePaths: await Promise.all(morePaths) };
  }

  /** The file to run statements on: the database itself, or a settled copy of one with a journal. */
  #readablePath(file: string): Promise<string> {
    let readable = this.#readable.get(file);
    if (readable === undefined) {
      readable = this.#settled(file);
      this.#readable.set(file, readable);
    }
    return readable;
  }

  async #settled(file: string): Promise<string> {
    if ((await databaseFileKind(file)) !== "journaled") return file;
    const copy = await copyDatabase(file, path.join(this.#host.folder, `copy-${sha256(file).slice(0, 16)}`));
    const limitMs = scanLimitMs(await databaseBytes(copy));
    const outcome = await this.attempt({ kind: "settle", path: copy }, () => undefined, limitMs);
    if (outcome.status === "killed" && outcome.cause === "closed") throw closed();
    return copy;
  }

  async attempt(body: SqlTask, onPart: (part: SqlPart) => void, limitMs: number): Promise<TaskOutcome> {
    let outcome: TaskOutcome = { status: "killed", cause: "closed", mark: null, message: "" };
    for (let attempt = 0; attempt < ATTEMPTS && !this.#closed; attempt += 1) {
      outcome = await new Promise<TaskOutcome>((resolve) => {
        this.#tasks.push({
          body: () => body,
          fresh: attempt > 0,
          limitMs: () => limitMs,
          onPart: (part) => {
            onPart(part as SqlPart);
          },
          onEnd: resolve,
        });
        this.#wake();
      });
      if (outcome.status !== "killed" || outcome.cause === "closed") break;
    }
    return outcome;
  }

  /** Looks for free workers once what is being asked for now has been gathered. */
  #wake(): void {
    if (this.#woken) return;
    this.#woken = true;
    setImmediate(() => {
      this.#woken = false;
      this.#host.wake();
    });
  }

  #next(): WorkerTask | null {
    const task = this.#tasks.shift();
    if (task !== undefined) return task;
    const { groups, alone } = this.#queue.take(this.#host.idle);
    return groups.length === 0 ? null : this.#judgeTask(groups, alone);
  }

  #pending(
    request: JudgeRequest,
    files: Pick<PendingGroup, "path" | "morePaths">,
    settle: Pick<PendingGroup, "resolve" | "reject">,
  ): PendingGroup {
    const { database, gold, metrics, goldLimits, predictionLimits } = request;
    const schema = this.#judgedSchema(database);
    this.#groups += 1;
    let schemaKey = this.#schemaKeys.get(schema);
    if (schemaKey === undefined) {
      schemaKey = sha256(JSON.stringify(schema));
      this.#schemaKeys.set(schema, schemaKey);
    }
    return {
      id: this.#groups,
      ...files,
      schema,
      schemaKey,
      gold,
      predictions: [...new Set(request.predictions)],
      metrics: [...new Set(metrics)],
      goldLimits,
      predictionLimits,
      timingRounds: request.timingRounds,
      known: [],
      strikes: new Map(),
      mishaps: 0,
      settled: false,
      ...settle,
    };
  }

  /** The schema that metrics see: the file's tables with the foreign keys of the dataset's description. */
  #judgedSchema({ schema, describedForeignKeys }: Database): DatabaseSchema {
    if (describedForeignKeys === null) return schema;
    const known = this.#judgedSchemas.get(schema) ?? { ...schema, foreignKeys: describedForeignKeys };
    this.#judgedSchemas.set(schema, known);
    return known;
  }

  #judgeTask(pending: readonly PendingGroup[], alone: boolean): WorkerTask {
    const groups = pending.map((group, index): JudgeGroup => {
      const { id, schemaKey, gold, predictions, metrics, goldLimits, predictionLimits } = group;
      const { timingRounds, known } = group;
      const firstUnit = index * GROUP_UNITS;
      const limits = { goldLimits, predictionLimits };
      return { id, firstUnit, schemaKey, gold, predictions, metrics, ...limits, timingRounds, known };
    });
    const morePaths = pending.find((group) => group.morePaths.length > 0)?.morePaths ?? [];
    const mainScanMs = this.#scanMs.get(pending[0]?.path ?? "") ?? SCAN_LIMIT_MS;
    const scanMs = morePaths.length > 0 ? SCAN_LIMIT_MS : mainScanMs;
    const byId = new Map(pending.map((group) => [group.id, group]));
    for (const group of pending) this.#running.add(group);
    return {
      body: (worker) => ({
        kind: "judge",
        path: pending[0]?.path ?? null,
        morePaths,
        ...this.#schemasFor(worker, pending),
        groups,
        sparing: alone,
      }),
      fresh: alone,
      limitMs: (mark) => limitAt(groups, mark, scanMs),
      onPart: (part) => {
        for (const judged of (part as Extract<SqlPart, { kind: "judged" }>).groups) {
          const group = byId.get(judged.id);
          if (group === undefined) continue;
          group.settled = true;
          group.resolve(judgedGroup(judged));
        }
      },
      onEnd: (outcome) => {
        for (const group of pending) this.#running.delete(group);
        this.#afterJudging(pending, groups, outcome);
      },
    };
  }

  #schemasFor(
    worker: object,
    pending: readonly PendingGroup[],
  ): Pick<JudgeTask, "schemas" | "forgetSchemas"> {
    let has = this.#schemasOf.get(worker);
    const forgetSchemas = has !== undefined && has.size >= KEPT_SCHEMAS;
    if (has === undefined || forgetSchemas) {
      has = new Set();
      this.#schemasOf.set(worker, has);
    }
    const schemas: Record<string, DatabaseSchema> = {};
    for (const { schemaKey, schema } of pending) {
      if (has.has(schemaKey)) continue;
      has.add(schemaKey);
      schemas[schemaKey] = schema;
    }
    return { schemas, forgetSchemas };
  }

  /** Puts back what a task left open, and holds what killed its worker to account. */
  #afterJudging(pending: readonly PendingGroup[], groups: readonly JudgeGroup[], outcome: TaskOutcome): void {
    const open = pending.filter((group) => !group.settled);
    if (open.length === 0) return;
    if (outcome.status !== "killed" || outcome.cause === "closed") {
      for (const group of open) group.reject(failure(outcome));
      return;
    }
    const at = outcome.mark === null ? null : placeOf(groups, outcome.mark.unit);
    const blamed = at === null ? undefined : open.find((group) => group.id === at.id);
    if (blamed !== undefined && at !== null && outcome.mark !== null && outcome.cause !== "stuck") {
      strike(blamed, at.statement, { cause: outcome.cause, phase: outcome.mark.phase });
    } else {
      for (const group of blamed === undefined ? open : [blamed]) group.mishaps += 1;
    }
    if (blamed !== undefined) this.#putBack(blamed, failure(outcome), true);
    for (const group of open) if (group.mishaps >= ATTEMPTS) this.#putBack(group, failure(outcome), false);
    this.#queue.putBack(open.filter((group) => group !== blamed && group.mishaps < ATTEMPTS));
    this.#wake();
  }

  #putBack(group: PendingGroup, error: GradusError, alone: boolean): void {
    if (group.mishaps >= ATTEMPTS) group.reject(error);
    else if (alone) this.#queue.putBackAlone(group);
  }
}

function defaultWorkerPath(): string {
  const here = fileURLToPath(import.meta.url);
  return here.endsWith(".ts")
    ? path.join(path.dirname(here), "..", "dist", "pipelines", "sql-worker.js")
    : path.join(path.dirname(here), "sql-worker.js");
}
