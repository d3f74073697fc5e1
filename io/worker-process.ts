import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { rmSync } from "node:fs";
import type { Socket } from "node:net";
import { hasProcessTimes, limitedCommand, processCpuMicros } from "./process-limits.ts";
import type { ProcessLimits } from "./process-limits.ts";
import { ProgressReader } from "./worker-progress.ts";
import type { ProgressMark } from "./worker-progress.ts";
import type { WorkerMessage } from "./worker-server.ts";

/** How a task ended. `killed`: its worker died, by the host (`cpu`, `stuck`, `closed`) or by itself (`crash`). */
export type TaskOutcome =
  | { readonly status: "done" }
  | { readonly status: "failed"; readonly code: string; readonly message: string }
  | {
      readonly status: "killed";
      readonly cause: "cpu" | "stuck" | "crash" | "closed";
      /** Where the worker was; `null` when it had not begun the task. */
      readonly mark: ProgressMark | null;
      readonly message: string;
    };

/** A piece of work for a worker process. */
export interface WorkerTask {
  /** Plain JSON for the worker; asked once, when it is known which process gets it. */
  body(worker: object): unknown;
  /** Whether it must have a process that did nothing before. */
  readonly fresh: boolean;
  /** CPU time that the work at a mark may take, milliseconds. */
  limitMs(mark: ProgressMark): number;
  onPart(part: unknown): void;
  onEnd(outcome: TaskOutcome): void;
}

export interface WorkerProcessOptions {
  /** The compiled module that calls `serveTasks`. */
  readonly workerPath: string;
  readonly progressPath: string;
  /** Where spilled sorts go. */
  readonly temporaryFolder: string;
  readonly limits: ProcessLimits;
  /** Wall-clock time that a unit may take beyond ten times its CPU limit, milliseconds. */
  readonly wallGraceMs: number;
}

/** Characters kept of what a worker says before it dies. */
const STDERR_KEPT = 600;
const WALL_FACTOR = 10;

/** CPU time for what has no limit of its own, such as opening the file; milliseconds. */
const IDLE_LIMIT_MS = 60_000;

interface RunningTask {
  readonly id: number;
  readonly task: WorkerTask;
  readonly resolve: (outcome: TaskOutcome) => void;
  /** The last mark that was seen, and the clock and the process's CPU time when it was new. */
  seenSequence: number;
  seenAtMs: number;
  seenAtCpuMicros: number;
}

/** Of the young generation: rows live shortly, and one arena and a small space halve a worker's memory. */
const SEMI_SPACE_MEGABYTES = 4;

/** One worker process: started at once, it does one task at a time until it dies. */
export class WorkerProcess {
  readonly #options: WorkerProcessOptions;
  readonly #child: ChildProcess;
  readonly #progress: ProgressReader;
  readonly #dead: Promise<void>;
  readonly #ready: Promise<boolean>;
  #running: RunningTask | null = null;
  #cause: "cpu" | "stuck" | "crash" | "closed" = "crash";
  #isDead = false;
  #isStopping = false;
  #tasks = 0;
  #errors = "";

  constructor(options: WorkerProcessOptions) {
    this.#options = options;
    this.#progress = new ProgressReader(options.progressPath);
    const heapMegabytes = Math.floor(options.limits.memoryBytes / 2 ** 21);
    const [command = "", ...args] = limitedCommand(
      [
        process.execPath,
        "--no-warnings",
        "--single-threaded-gc",
        "--expose-gc",
        `--max-semi-space-size=${SEMI_SPACE_MEGABYTES}`,
        `--max-old-space-size=${heapMegabytes}`,
        options.workerPath,
        options.progressPath,
      ],
      options.limits,
    );
    this.#child = spawn(command, args, {
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      env: { PATH: process.env.PATH, SQLITE_TMPDIR: options.temporaryFolder, MALLOC_ARENA_MAX: "1" },
    });
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#errors = (this.#errors + text).slice(0, STDERR_KEPT);
    });
    this.#dead = this.#whenDead();
    this.#ready = new Promise((resolve) => {
      this.#child.on("message", (message: WorkerMessage) => {
        if ("ready" in message) resolve(true);
        else this.#receive(message);
      });
      void this.#dead.then(() => {
        resolve(false);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Tasks begun so far. */
  get tasks(): number {
    return this.#tasks;
  }

  /** Does a task to its end, or to the process's. */
  async execute(task: WorkerTask): Promise<TaskOutcome> {
    if (this.#isDead) return { status: "killed", cause: this.#cause, mark: null, message: "it was dead" };
    this.#hold(true);
    this.#tasks += 1;
    const id = this.#tasks;
    const ended = new Promise<TaskOutcome>((resolve) => {
      this.#running = {
        id,
        task,
        resolve,
        seenSequence: -1,
        seenAtMs: performance.now(),
        seenAtCpuMicros: 0,
      };
    });
    if (await this.#ready) this.#child.send({ task: id, body: task.body(this) }, () => undefined);
    const outcome = await ended;
    if (!this.#isStopping) this.#hold(false);
    return outcome;
  }

  /**
   * Kills the process when what it is at is over its limit; called every few milliseconds while it is busy.
   * CPU time counts from the first call that finds the work begun.
   */
  check(): void {
    const running = this.#running;
    if (running === null || this.#isDead) return;
    const mark = this.#progress.read();
    const now = performance.now();
    const sequence = mark?.sequence ?? 0;
    if (sequence !== running.seenSequence) {
      running.seenSequence = sequence;
      running.seenAtMs = now;
      running.seenAtCpuMicros = this.#cpuMicros() ?? 0;
      return;
    }
    const isWorking = mark !== null && mark.task === running.id && mark.phase !== "idle";
    const limitMs = isWorking ? running.task.limitMs(mark) : IDLE_LIMIT_MS;
    const wallMs = now - running.seenAtMs;
    const cpuMicros = this.#cpuMicros();
    const usedMs = cpuMicros === null ? wallMs : (cpuMicros - running.seenAtCpuMicros) / 1000;
    const isOver = isWorking && usedMs > limitMs;
    if (isOver && this.#progress.read()?.sequence === sequence) this.kill("cpu");
    else if (wallMs > WALL_FACTOR * limitMs + this.#options.wallGraceMs) this.kill("stuck");
  }

  #cpuMicros(): number | null {
    return hasProcessTimes() ? processCpuMicros(this.#child.pid ?? 0) : null;
  }

  /** Ends the process at once. */
  kill(cause: "cpu" | "stuck" | "closed"): void {
    if (this.#isDead) return;
    this.#cause = cause;
    this.#child.kill("SIGKILL");
  }

  /** Ends the process and waits until the system is rid of it. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#hold(true);
    this.kill("closed");
    await this.#dead;
  }

  #receive(message: Exclude<WorkerMessage, { ready: true }>): void {
    const running = this.#running;
    if (running === null || message.task !== running.id) return;
    if ("part" in message) running.task.onPart(message.part);
    else if ("done" in message) this.#end({ status: "done" });
    else this.#end({ status: "failed", ...message.failed });
  }

  #end(outcome: TaskOutcome): void {
    const running = this.#running;
    this.#running = null;
    running?.resolve(outcome);
  }

  /** Resolves when the process has exited and what it sent has arrived. */
  async #whenDead(): Promise<void> {
    const child = this.#child;
    const gone = await new Promise<string>((resolve) => {
      let exit: string | undefined;
      let isClosed = false;
      const settle = (): void => {
        if (exit !== undefined && isClosed) resolve(exit);
      };
      child.once("error", (thrown) => {
        exit = thrown.message;
        isClosed = true;
        settle();
      });
      child.once("exit", (code, signal) => {
        exit = signal === null ? `ended with status ${code}` : `ended by ${signal}`;
        isClosed ||= !child.connected;
        settle();
      });
      child.once("disconnect", () => {
        isClosed = true;
        settle();
      });
    });
    this.#isDead = true;
    const last = this.#progress.read();
    const mark = last?.task === this.#running?.id && last?.phase !== "idle" ? last : null;
    this.#progress.close();
    rmSync(this.#options.progressPath, { force: true });
    const errors = this.#errors.trim();
    const message = `the worker process ${gone}${errors === "" ? "" : `: ${errors}`}`;
    this.#end({ status: "killed", cause: this.#cause, mark, message });
  }

  /** Whether this process keeps the host's event loop alive: only while it is busy. */
  #hold(busy: boolean): void {
    const parts = [this.#child, this.#child.channel, this.#child.stderr as Socket | null];
    for (const part of parts) {
      if (busy) part?.ref();
      else part?.unref();
    }
  }
}
