import { closeSync, openSync, readSync, writeSync } from "node:fs";

/** What a worker is doing with the unit of work it is at. */
export type WorkPhase = "idle" | "statement" | "scan" | "judging";

const PHASES: readonly WorkPhase[] = ["idle", "statement", "scan", "judging"];

/** A worker's last word on where it is. */
export interface ProgressMark {
  /** Counts marks: two equal ones are the same moment. */
  readonly sequence: number;
  readonly task: number;
  /** The unit of the task's work, numbered by whoever made the task. */
  readonly unit: number;
  readonly phase: WorkPhase;
}

const MARK_BYTES = 16;

/** Writes marks to the worker's progress file, one write each, before the work that they name. */
export class ProgressWriter {
  readonly #file: number;
  readonly #buffer = Buffer.alloc(MARK_BYTES);
  #sequence = 0;
  #task = 0;
  #unit = 0;

  constructor(path: string) {
    this.#file = openSync(path, "w");
  }

  /** Names the task of the marks that follow. */
  startTask(task: number): void {
    this.#task = task;
    this.mark(0, "idle");
  }

  /** Says what begins now. */
  mark(unit: number, phase: WorkPhase): void {
    this.#unit = unit;
    this.#sequence = (this.#sequence + 1) >>> 0;
    this.#buffer.writeUInt32LE(this.#sequence, 0);
    this.#buffer.writeUInt32LE(this.#task, 4);
    this.#buffer.writeUInt32LE(unit, 8);
    this.#buffer.writeUInt32LE(PHASES.indexOf(phase), 12);
    writeSync(this.#file, this.#buffer, 0, MARK_BYTES, 0);
  }

  /** Says that the same unit goes on in another phase. */
  turn(phase: WorkPhase): void {
    this.mark(this.#unit, phase);
  }
}

/** Reads a worker's progress file from the other side. */
export class ProgressReader {
  readonly #file: number;
  readonly #buffer = Buffer.alloc(MARK_BYTES);

  /** Makes the file, so that it can be read before the worker wrote. */
  constructor(path: string) {
    this.#file = openSync(path, "w+");
  }

  /** The last mark; `null` before the first. */
  read(): ProgressMark | null {
    if (readSync(this.#file, this.#buffer, 0, MARK_BYTES, 0) < MARK_BYTES) return null;
    return {
      sequence: this.#buffer.readUInt32LE(0),
      task: this.#buffer.readUInt32LE(4),
      unit: this.#buffer.readUInt32LE(8),
      phase: PHASES[this.#buffer.readUInt32LE(12)] ?? "idle",
    };
  }

  close(): void {
    closeSync(this.#file);
  }
}
