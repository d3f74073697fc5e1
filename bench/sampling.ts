import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import OpenAI from "openai";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import { Agent, request } from "undici";
import { parseRunConfig } from "../pipelines/config.ts";
import { SILENT_REPORTER, type Reporter } from "../pipelines/reporter.ts";
import { runTrainingSet } from "../pipelines/run-training-set.ts";
import { AgentServer, PLACES, steadyRate } from "./agent-server.ts";
import type { Measured } from "./measured.ts";
import { median, processorSeconds } from "./processor-time.ts";

const CLI = path.resolve(import.meta.dirname, "../dist/pipelines/cli/main.js");
const CALLERS = 64;
/** A little more than the server's places, so that it never waits for us. */
const REQUESTS = PLACES * 1.25;
const EPISODES = PLACES * 1.5;
const IN_FLIGHT = 1_000;
/** Every agent with tools; the generator comes after its linker. */
const SCAFFOLDS = ["sql-trail", "dualsql-sql", "dualsql-generator", "retool-sql", "mtsql-r1"] as const;

/**
 * Figures of the sample stage on the sample dataset for each agent, three turns an episode, two of them with a tool:
 * CPU of the main process a turn against the openai package making the same requests; the peak memory of
 * `gradus run` with a thousand episodes in flight; and how much of a server with 256 places and 500 ms a
 * reply is put to use, against bare undici.
 */
export async function benchSampling(short: boolean): Promise<readonly Measured[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "gradus-bench-sampling-"));
  const server = await AgentServer.start(folder);
  try {
    const figures: Measured[] = [];
    for (const scaffold of short ? SCAFFOLDS.slice(0, 1) : SCAFFOLDS) {
      const bench = new SamplingBench(folder, server, scaffold);
      figures.push(...(await bench.cpu(short)), ...(await bench.memory()), ...(await bench.sustained(short)));
    }
    return figures;
  } finally {
    server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Load {
  /** Path of the server. */
  readonly at: string;
  readonly samples: number;
  readonly episodes: number;
  readonly requests: number;
}

class SamplingBench {
  readonly #folder: string;
  readonly #server: AgentServer;
  readonly #scaffold: string;
  #runs = 0;

  constructor(folder: string, server: AgentServer, scaffold: string) {
    this.#folder = folder;
    this.#server = server;
    this.#scaffold = scaffold;
  }

  async cpu(short: boolean): Promise<Measured[]> {
    const load = { samples: short ? 2 : 8, episodes: CALLERS, requests: CALLERS };
    await this.#server.forget();
    await this.#sample({ ...load, at: "record" });
    const bodies = (await this.#server.bodies()) as ChatCompletionCreateParamsNonStreaming[];
    const client = new OpenAI({ baseURL: `${this.#server.origin}/fast/v1`, apiKey: "none", maxRetries: 0 });
    const ask = (body: ChatCompletionCreateParamsNonStreaming): Promise<unknown> =>
      client.chat.completions.create(body);
    await forEach(bodies.slice(0, 300), CALLERS, ask);
    const ours: number[] = [];
    const stock: number[] = [];
    for (let round = 0; round < (short ? 1 : 3); round += 1) {
      ours.push((await this.#sample({ ...load, at: "fast" })) / bodies.length);
      const before = processorSeconds().own;
      await forEach(bodies, CALLERS, ask);
      stock.push((processorSeconds().own - before) / bodies.length);
    }
    const ratio = median(ours.map((seconds, round) => seconds / (stock[round] ?? Number.NaN)));
    return [
      { name: `${this.#scaffold}, CPU ms of the main process a turn`, value: milliseconds(median(ours)) },
      {
        name: "openai package alone, CPU ms for the same requests, each",
        value: milliseconds(median(stock)),
      },
      { name: `${this.#scaffold} against the openai package`, value: ratio.toFixed(2) },
    ];
  }

  async memory(): Promise<Measured[]> {
    await this.#server.stats();
    const load = { at: "held", samples: 9, episodes: IN_FLIGHT, requests: IN_FLIGHT };
    const config = path.join(this.#folder, "memory.json");
    await writeFile(config, JSON.stringify(this.#config(load)));
    const child = spawn(
      process.execPath,
      [CLI, "run", config, "--runs", this.#folder, "--until", "sample", "--quiet"],
      { stdio: ["ignore", "ignore", "inherit"] },
    );
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    let peak = 0;
    let code: number | null | undefined;
    while (code === undefined) {
      peak = Math.max(peak, await peakBytes(child.pid ?? 0));
      code = await Promise.race([ended, sleep(20, undefined)]);
    }
    if (code !== 0) throw new Error(`the run for memory ended with ${code}`);
    const { mostOpen } = await this.#server.stats();
    return [
      { name: `${this.#scaffold}, most requests open at once`, value: String(mostOpen) },
      {
        name: `${this.#scaffold}, peak memory of the main process then`,
        value: `${(peak / 1e6).toFixed(0)} MB`,
      },
    ];
  }

  async sustained(short: boolean): Promise<Measured[]> {
    const bodies = (await this.#server.bodies()).map((body) => JSON.stringify(body));
    const wanted = PLACES * (short ? 12 : 40);
    const asked = Array.from({ length: wanted }, (_, index) => bodies[index % bodies.length] ?? "");
    const agent = new Agent({ connections: REQUESTS });
    await this.#server.stats();
    await forEach(asked, REQUESTS, async (body) => {
      const headers = { "content-type": "application/json" };
      const url = `${this.#server.origin}/limited/v1/chat/completions`;
      const reply = await request(url, { dispatcher: agent, method: "POST", headers, body });
      await reply.body.json();
    });
    await agent.close();
    const bare = steadyRate(await this.#server.stats());
    const load = { at: "limited", samples: short ? 8 : 24, episodes: EPISODES, requests: REQUESTS };
    await this.#sample(load);
    const ours = steadyRate(await this.#server.stats());
    return [
      { name: `${this.#scaffold}, turns a second (256 places, 500 ms)`, value: ours.toFixed(0) },
      { name: "bare undici, requests a second (256 places, 500 ms)", value: bare.toFixed(0) },
      { name: `${this.#scaffold}, share of the ceiling`, value: (ours / bare).toFixed(3) },
    ];
  }

  #config({ at, samples, episodes, requests }: Load): unknown {
    const client = {
      baseUrl: `${this.#server.origin}/${at}/v1`,
      concurrency: { start: requests, max: requests },
    };
    this.#runs += 1;
    return {
      gradus: 1,
      name: `bench-${this.#scaffold}-${this.#runs}`,
      datasets: [
        { loader: "spider", root: "sample:spider", split: "train" },
        { loader: "bird", root: "sample:bird", split: "train" },
      ],
      models: { student: { provider: "openai", name: "bench", client } },
      answers: {
        concurrency: episodes,
        rollouts: [{ model: "student", scaffold: this.#scaffold, samples }],
      },
    };
  }

  /** Samples in this process; CPU seconds of the sample step in it. */
  async #sample(load: Load): Promise<number> {
    const config = parseRunConfig(this.#config(load), "bench");
    let before = 0;
    let used = 0;
    const reporter: Reporter = {
      ...SILENT_REPORTER,
      stepStarted: (id) => {
        if (id === "sample") before = processorSeconds().own;
      },
      stepFinished: ({ id }) => {
        if (id === "sample") used = processorSeconds().own - before;
      },
    };
    await runTrainingSet(config, {
      roots: { dataRoot: null, configFolder: this.#folder, runsFolder: this.#folder },
      until: "sample",
      dryRun: false,
      workers: 2,
      reporter,
      signal: new AbortController().signal,
    });
    return used;
  }
}

async function forEach<T>(items: readonly T[], callers: number, call: (item: T) => Promise<unknown>) {
  let next = 0;
  const run = async (): Promise<void> => {
    while (next < items.length) {
      next += 1;
      await call(items[next - 1] as T);
    }
  };
  await Promise.all(Array.from({ length: callers }, run));
}

/** The most memory that a process held so far; 0 once it has ended. */
async function peakBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}

function milliseconds(seconds: number): string {
  return (seconds * 1000).toFixed(3);
}
