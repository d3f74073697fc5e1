import { type ChildProcessByStdio, spawn } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { expect } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import {
  type Finished,
  GradusProcess,
  type ProcessOptions,
  PROJECT_ROOT,
  runGradus,
} from "./gradus-process.ts";
import { digestsBelow } from "./raw-run.ts";

const CLI = path.join(PROJECT_ROOT, "dist/pipelines/cli/main.js");
const SETTLED_MS = 60;
const WAIT_STEP_MS = 5;

/** What the tests of sampling vary in a run. */
export interface SamplingChanges {
  readonly name?: string;
  /** Over the two rollouts of each question. */
  readonly rollout?: Readonly<Record<string, unknown>>;
  /** Episodes in flight, and requests at most. */
  readonly concurrency?: number;
  readonly client?: Readonly<Record<string, unknown>>;
  /** Over the keys of the config. */
  readonly config?: Readonly<Record<string, unknown>>;
}

/** A run like the quickstart's on a part of the sample dataset, asking a model at `baseUrl`. */
export function samplingConfig(baseUrl: string, changes: SamplingChanges = {}): unknown {
  const { rollout = {}, concurrency = 8, client = {}, config = {} } = changes;
  const samples = { model: "student", samples: 2, ...rollout };
  return {
    gradus: 1,
    name: changes.name ?? "sampled",
    seed: 1,
    datasets: [
      { loader: "spider", root: "sample:spider", split: "train", license: "CC0-1.0", limit: 6 },
      { loader: "bird", root: "sample:bird", split: "train", license: "CC0-1.0", limit: 32 },
    ],
    models: {
      student: {
        provider: "openai",
        name: "simulated-student",
        revision: "1",
        client: {
          baseUrl,
          concurrency: { start: concurrency, max: concurrency },
          retryDelayMs: 10,
          maxRetryDelayMs: 100,
          ...client,
        },
      },
    },
    answers: {
      concurrency,
      rollouts: [
        { scaffold: "single-turn", ...samples },
        { scaffold: "sql-trail", ...samples },
      ],
    },
    validation: { fraction: 0.3 },
    ...config,
  };
}

/** A line of the server's log. */
export interface LoggedRequest {
  readonly order: number;
  readonly requestHash: string;
  readonly fault: string | null;
}

/** `gradus serve simulated` as a process of its own, on the questions of {@link samplingConfig}. */
export class SimulatedServer {
  readonly baseUrl: string;
  readonly #child: ChildProcessByStdio<null, Readable, null>;
  readonly #log: string;

  private constructor(baseUrl: string, child: ChildProcessByStdio<null, Readable, null>, log: string) {
    this.baseUrl = baseUrl;
    this.#child = child;
    this.#log = log;
  }

  static start(...options: readonly string[]): Promise<SimulatedServer> {
    return SimulatedServer.startOn({}, ...options);
  }

  /** The same on the questions of a changed config. */
  static async startOn(changes: SamplingChanges, ...options: readonly string[]): Promise<SimulatedServer> {
    const config = JSON.stringify(samplingConfig("http://127.0.0.1:1/v1", changes));
    const folder = await temporaryFolder({ "server.json": config });
    const log = path.join(folder, "requests.jsonl");
    const args = ["serve", "simulated", "--config", path.join(folder, "server.json"), "--runs", folder];
    const child = spawn(process.execPath, [CLI, ...args, "--log", log, "--json", ...options], {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const first = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
    if (first.done === true) throw new Error("the simulated server ended before it served");
    return new SimulatedServer((JSON.parse(first.value) as { baseUrl: string }).baseUrl, child, log);
  }

  /** The completions that it was asked for so far. */
  requests(): LoggedRequest[] {
    if (!existsSync(this.#log)) return [];
    const lines = readFileSync(this.#log, "utf8").split("\n").slice(0, -1);
    return lines.map((line) => JSON.parse(line) as LoggedRequest);
  }

  /** The same once none has come for a while. */
  async settledRequests(): Promise<LoggedRequest[]> {
    for (let size = -1; ; ) {
      const now = existsSync(this.#log) ? statSync(this.#log).size : 0;
      if (now === size) return this.requests();
      size = now;
      await sleep(SETTLED_MS);
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await ended;
  }
}

/** A folder with a config and its runs. */
export class SamplingWorkspace {
  readonly folder: string;
  readonly name: string;

  private constructor(folder: string, name: string) {
    this.folder = folder;
    this.name = name;
  }

  static async make(baseUrl: string, changes: SamplingChanges = {}): Promise<SamplingWorkspace> {
    const folder = await temporaryFolder();
    const workspace = new SamplingWorkspace(folder, changes.name ?? "sampled");
    workspace.change(baseUrl, changes);
    return workspace;
  }

  /** Writes the config anew. */
  change(baseUrl: string, changes: SamplingChanges = {}): void {
    const config = samplingConfig(baseUrl, { name: this.name, ...changes });
    writeFileSync(path.join(this.folder, "run.json"), JSON.stringify(config));
  }

  get runFolder(): string {
    return path.join(this.folder, "runs", this.name);
  }

  /** SHA-256 of every file of the shards. */
  shards(): Record<string, string> {
    return digestsBelow(path.join(this.runFolder, "shards"));
  }

  start(...options: readonly string[]): GradusProcess {
    return this.startWith({}, ...options);
  }

  startWith(process: ProcessOptions, ...options: readonly string[]): GradusProcess {
    const args = ["run", "run.json", "--workers", "1", ...options];
    return new GradusProcess(args, { cwd: this.folder, ...process });
  }

  /** Runs to the end, however that is. */
  async run(...options: readonly string[]): Promise<Finished> {
    return runGradus(["run", "run.json", "--workers", "1", "--json", ...options], { cwd: this.folder });
  }

  /** Runs to the end, which must be a good one. */
  async complete(...options: readonly string[]): Promise<Finished> {
    const finished = await this.run(...options);
    expect(finished.status, finished.stderr).toBe(0);
    return finished;
  }

  ledger(): RawLedger {
    return readLedger(path.join(this.runFolder, "ledger.sqlite"));
  }
}

/** What a ledger file holds, read by SQL alone. */
export interface RawLedger {
  /** Request hashes of the turns that are committed, and of those set aside. */
  readonly committed: ReadonlySet<string>;
  readonly dropped: number;
  readonly samples: number;
  readonly finished: number;
  /** Number of failures by code. */
  readonly events: Readonly<Record<string, number>>;
}

/** Reads a copy of the file with its journal, so that the file is left as a killed process left it. */
export function readLedger(file: string): RawLedger {
  if (!existsSync(file)) return { committed: new Set(), dropped: 0, samples: 0, finished: 0, events: {} };
  const folder = mkdtempSync(path.join(tmpdir(), "gradus-ledger-"));
  const copy = path.join(folder, path.basename(file));
  for (const ending of ["", "-wal", "-journal"]) {
    if (existsSync(file + ending)) copyFileSync(file + ending, copy + ending);
  }
  const database = new Sqlite(copy);
  try {
    if (database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'events'").get() === undefined) {
      return { committed: new Set(), dropped: 0, samples: 0, finished: 0, events: {} };
    }
    const count = (sql: string): number => database.prepare(sql).pluck().get() as number;
    const hashes = database.prepare("SELECT request_hash FROM turns").pluck().all() as string[];
    const events = database.prepare("SELECT code, sum(count) FROM events GROUP BY code").raw().all();
    return {
      committed: new Set(hashes),
      dropped: count("SELECT count(*) FROM dropped_turns"),
      samples: count("SELECT count(*) FROM samples"),
      finished: count("SELECT count(*) FROM samples WHERE state = 'finished'"),
      events: Object.fromEntries(events as [string, number][]),
    };
  } finally {
    database.close();
    rmSync(folder, { recursive: true });
  }
}

/** Waits until something holds, or the process has ended. */
export async function untilHolds(running: GradusProcess, holds: () => boolean): Promise<void> {
  const ended = running.finished.then(() => true);
  while (!holds()) {
    if (await Promise.race([ended, sleep(WAIT_STEP_MS, false)])) return;
  }
}

interface Summary {
  readonly funnel: readonly { readonly name: string; readonly count: number; readonly depth: number }[];
  readonly steps: readonly { readonly id: string; readonly status: string }[];
}

/** What `gradus run --json` printed. */
export function summaryOf(finished: Finished): Summary {
  return JSON.parse(finished.stdout) as Summary;
}
