import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The folder of the project. */
export const PROJECT_ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");

const CLI = path.join(PROJECT_ROOT, "dist/pipelines/cli/main.js");
const WAIT_STEP_MS = 10;
const WAIT_LIMIT_MS = 60_000;

export interface ProcessOptions {
  /** Working folder; the project's when left out. */
  readonly cwd?: string;
  /** On top of the caller's environment; `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** User id that the process runs as. */
  readonly uid?: number;
}

/** A process that ended: with a status, or by a signal. */
export interface Finished {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built command line as a process that leads a session of its own, so that its workers can be found. */
export class GradusProcess {
  readonly finished: Promise<Finished>;
  readonly #child: ChildProcess;
  #stdout = "";
  #stderr = "";
  #hasEnded = false;

  constructor(args: readonly string[], options: ProcessOptions) {
    if (!existsSync(CLI)) throw new Error(`there is no ${CLI}: run npm run build first`);
    const env = { ...process.env, GRADUS_DATA: undefined, ...options.env };
    this.#child = spawn(process.execPath, [CLI, ...args], {
      cwd: options.cwd ?? PROJECT_ROOT,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    });
    this.#child.stdout?.setEncoding("utf8").on("data", (text: string) => (this.#stdout += text));
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.#stderr += text));
    this.finished = new Promise((resolve, reject) => {
      this.#child.once("error", reject);
      this.#child.once("close", (status, signal) => {
        this.#hasEnded = true;
        resolve({ status, signal, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** What it wrote to standard error so far. */
  get standardError(): string {
    return this.#stderr;
  }

  /** Waits for the first line of standard output; fails when the process ends before. */
  async line(): Promise<string> {
    await waitUntil("a line on standard output", () => {
      if (this.#stdout.includes("\n")) return true;
      if (this.#hasEnded) throw new Error(`ended without a line:\n${this.#stderr}`);
      return false;
    });
    return this.#stdout.slice(0, this.#stdout.indexOf("\n"));
  }

  /** Sends a signal to the process alone. */
  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Sends a signal to the process and its workers, as a terminal does. */
  killGroup(signal: NodeJS.Signals): void {
    process.kill(-this.pid, signal);
  }

  /** Closes its outputs on this side, as a reader does that has seen enough. */
  stopReading(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }

  /** Waits until standard error holds `text`; fails when the process ends before. */
  async says(text: string): Promise<void> {
    await waitUntil(`"${text}" on standard error`, () => {
      if (this.#stderr.includes(text)) return true;
      if (this.#hasEnded) throw new Error(`ended without saying "${text}":\n${this.#stderr}`);
      return false;
    });
  }

  /** Waits until it has at least `count` processes of its own. */
  async hasWorkers(count: number): Promise<void> {
    await waitUntil(`${count} workers`, () => sessionProcesses(this.pid).length > count);
  }

  /** The most memory that the process alone held at once so far, bytes; 0 where the system does not say. */
  peakBytes(): number {
    return peakBytesOf(this.pid);
  }

  /** The peaks of the process and its workers that live, added up; bytes, shared memory counted in each. */
  peakBytesOfAll(): number {
    return sessionProcesses(this.pid).reduce((sum, pid) => sum + peakBytesOf(pid), 0);
  }

  /** Waits until no process of its session lives; fails when one still does after a second. */
  async leavesNothing(): Promise<void> {
    for (let waited = 0; sessionProcesses(this.pid).length > 0; waited += WAIT_STEP_MS) {
      if (waited > 1000) throw new Error(`left processes: ${sessionProcesses(this.pid).join(", ")}`);
      await sleep(WAIT_STEP_MS);
    }
  }
}

/** Runs a command of the built command line to its end, and checks that no process of it is left. */
export async function runGradus(args: readonly string[], options: ProcessOptions = {}): Promise<Finished> {
  const started = new GradusProcess(args, options);
  const finished = await started.finished;
  await started.leavesNothing();
  return finished;
}

async function waitUntil(what: string, holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds(); waited += WAIT_STEP_MS) {
    if (waited > WAIT_LIMIT_MS) throw new Error(`waited in vain for ${what}`);
    await sleep(WAIT_STEP_MS);
  }
}

function peakBytesOf(pid: number): number {
  try {
    const found = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    return Number(found?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Process ids of a session, its leader included, as /proc lists them; a zombie is none. */
function sessionProcesses(session: number): number[] {
  const found: number[] = [];
  for (const name of existsSync("/proc") ? readdirSync("/proc") : []) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const [state, , , sessionField] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (Number(sessionField) === session && state !== "Z") found.push(Number(name));
    } catch {
      continue;
    }
  }
  return found;
}
