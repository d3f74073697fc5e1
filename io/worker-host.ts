import { rmSync } from "node:fs";
import path from "node:path";
import { makeScratchFolder } from "./scratch-folder.ts";
import { WorkerProcess } from "./worker-process.ts";
import type { WorkerTask } from "./worker-process.ts";
import type { ProcessLimits } from "./process-limits.ts";

export interface WorkerHostOptions {
  /** Worker processes at once, at least 1. */
  readonly workers: number;
  /** The compiled module that calls `serveTasks`. */
  readonly workerPath: string;
  readonly limits?: Partial<ProcessLimits>;
  /** Wall-clock time that a unit of work may take beyond ten times its CPU limit, milliseconds. */
  readonly wallGraceMs?: number;
}

const DEFAULT_LIMITS: ProcessLimits = { memoryBytes: 2 ** 30, fileBytes: 4 * 2 ** 30 };
const DEFAULT_WALL_GRACE_MS = 60_000;
const POLL_MS = 25;

interface Slot {
  process: WorkerProcess | null;
  busy: boolean;
}

/**
 * A pool of worker processes for untrusted work. Processes start when there is work; each is held to its
 * limits and killed when a unit of its work is over its CPU limit; a dead one is replaced. When a process is
 * free, the pool asks `next` for a task; `wake` tells it that there may be one.
 */
export class WorkerHost {
  /** A folder for files that live as long as the pool. */
  readonly folder: string;
  readonly #options: WorkerHostOptions;
  readonly #next: () => WorkerTask | null;
  readonly #slots: readonly Slot[];
  readonly #onExit: () => void;
  #timer: NodeJS.Timeout | undefined;
  #processes = 0;
  #closing: Promise<void> | undefined;

  constructor(options: WorkerHostOptions, next: () => WorkerTask | null) {
    this.#options = options;
    this.#next = next;
    this.folder = makeScratchFolder("sql");
    this.#slots = Array.from({ length: Math.max(1, options.workers) }, () => ({
      process: null,
      busy: false,
    }));
    this.#onExit = () => {
      for (const slot of this.#slots) slot.process?.kill("closed");
      rmSync(this.folder, { recursive: true, force: true });
    };
    process.once("exit", this.#onExit);
  }

  /** Worker processes without work. */
  get idle(): number {
    return this.#slots.filter((slot) => !slot.busy).length;
  }

  /** Process ids of the workers that live. */
  get processIds(): readonly number[] {
    return this.#slots.flatMap((slot) =>
      slot.process === null || slot.process.isDead ? [] : [slot.process.pid ?? 0],
    );
  }

  /** Gives tasks to the workers that are free, if there are any of either. */
  wake(): void {
    for (const slot of this.#slots) {
      if (slot.busy || this.#closing !== undefined) continue;
      const task = this.#next();
      if (task === null) return;
      void this.#work(slot, task);
    }
  }

  /** Ends every process and waits until they are gone; tasks that ran end as `closed`. */
  close(): Promise<void> {
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    await Promise.all(this.#slots.map(async (slot) => slot.process?.stop()));
    clearInterval(this.#timer);
    process.off("exit", this.#onExit);
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #work(slot: Slot, first: WorkerTask): Promise<void> {
    slot.busy = true;
    this.#timer ??= setInterval(() => {
      for (const { process: worker } of this.#slots) worker?.check();
    }, POLL_MS);
    for (let task: WorkerTask | null = first; task !== null; task = this.#taken()) {
      const worker = await this.#processFor(slot, task);
      const outcome = await worker.execute(task);
      task.onEnd(outcome);
    }
    slot.busy = false;
    if (this.#slots.every((other) => !other.busy)) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  #taken(): WorkerTask | null {
    return this.#closing === undefined ? this.#next() : null;
  }

  async #processFor(slot: Slot, task: WorkerTask): Promise<WorkerProcess> {
    if (task.fresh && slot.process !== null && slot.process.tasks > 0) await slot.process.stop();
    if (slot.process === null || slot.process.isDead) {
      this.#processes += 1;
      slot.process = new WorkerProcess({
        workerPath: this.#options.workerPath,
        progressPath: path.join(this.folder, `progress-${this.#processes}`),
        temporaryFolder: this.folder,
        limits: { ...DEFAULT_LIMITS, ...this.#options.limits },
        wallGraceMs: this.#options.wallGraceMs ?? DEFAULT_WALL_GRACE_MS,
      });
      if (this.#closing !== undefined) slot.process.kill("closed");
    }
    return slot.process;
  }
}
