import { type ChildProcessByStdio, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { Readable } from "node:stream";
import { Pool } from "undici";
import type { Measured } from "./measured.ts";
import { median, processorSeconds } from "./processor-time.ts";

const CLIENTS = 64;
/** Calls a second that the clients make together, the same of every server: how busy a server is decides what a call costs it. */
const RATE = 1_500;
const CALLS = 6_000;
const SHORT_CALLS = 3_000;
const ROUNDS = 3;

/** An empty handler of the same framework: it takes any body as JSON and answers nothing. */
const EMPTY = `
import { fastify } from "fastify";
const server = fastify({ bodyLimit: 16777216 });
server.post("/empty", () => ({}));
console.log(JSON.stringify({ url: await server.listen({ host: "127.0.0.1", port: 0 }) }));
`;

const CONFIG = {
  gradus: 1,
  name: "bench",
  datasets: [{ loader: "spider", root: "sample:spider", split: "train", limit: 20 }],
  models: { student: { provider: "simulated", name: "simulated-student" } },
  answers: { rollouts: [{ model: "student", scaffold: "sql-trail", samples: 1 }] },
  rewards: [{ id: "outcome" }],
};

interface Server {
  readonly child: ChildProcessByStdio<null, Readable, null>;
  readonly pool: Pool;
}

/** Server CPU of a call against that of an empty handler, 64 clients at the same rate; the workers that run SQL are apart. */
export async function benchServices(short: boolean): Promise<readonly Measured[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "gradus-bench-"));
  writeFileSync(path.join(folder, "bench.json"), JSON.stringify(CONFIG));
  const cli = path.resolve("dist/pipelines/cli/main.js");
  const empty = await start(["--input-type=module", "-e", EMPTY], process.cwd());
  const env = await start([cli, "serve", "env", "bench.json", "--json", "--quiet"], folder);
  try {
    const ids = ((await call(env, "/examples")) as { readonly ids: readonly string[] }).ids;
    const idOf = (index: number): string => ids[index % ids.length] ?? "";
    const works: Readonly<Record<string, (index: number) => Promise<unknown>>> = {
      "call without work": (index) => call(env, "/end", { episode: idOf(index) }),
      "reward of an answer seen before": (index) =>
        call(env, "/reward", { example_id: idOf(index), sql: "SELECT 1" }),
      "reward of a new answer": (index) =>
        call(env, "/reward", { example_id: idOf(index), sql: `SELECT ${index}` }),
      "call of a tool": (index) =>
        call(env, "/tools/execute-sql-dataframe", {
          example_id: idOf(index),
          arguments: { sql: `SELECT ${index}` },
        }),
      "call of an episode": (index) => stepOf(env, idOf(index), index),
    };
    const bare = await callMs(empty, short, 1, (index) =>
      call(empty, "/empty", { example_id: idOf(index), sql: "SELECT 1" }),
    );
    const figures = [{ name: "empty handler, server CPU ms a call", value: bare.toFixed(3) }];
    for (const [name, work] of Object.entries(works)) {
      const calls = name === "call of an episode" ? 3 : 1;
      const own = await callMs(env, short, calls, work);
      figures.push({ name: `${name}, server CPU ms`, value: own.toFixed(3) });
      figures.push({ name: `${name}, against an empty handler`, value: (own / bare).toFixed(2) });
    }
    return figures;
  } finally {
    for (const { child, pool } of [empty, env]) {
      await pool.destroy();
      child.kill("SIGTERM");
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An episode of three calls: its start, a query, the answer. */
async function stepOf(env: Server, exampleId: string, index: number): Promise<void> {
  const { episode } = (await call(env, "/start", { example_id: exampleId })) as { readonly episode: string };
  await call(env, "/step", { episode, text: `<reasoning>look</reasoning><sql>SELECT ${index}</sql>` });
  await call(env, "/step", { episode, text: "<reasoning>so</reasoning><solution>SELECT 1</solution>" });
}

/** Milliseconds of the server's own CPU for one of the calls of a piece of work, the middle of some rounds after one that warms it. */
async function callMs(
  { child }: Server,
  short: boolean,
  calls: number,
  work: (index: number) => Promise<unknown>,
): Promise<number> {
  const count = Math.ceil((short ? SHORT_CALLS : CALLS) / calls);
  const figures: number[] = [];
  let next = 0;
  for (let round = 0; round <= (short ? 1 : ROUNDS); round += 1) {
    const before = processorSeconds(child.pid);
    const [first, end, begunMs] = [next, next + count, performance.now()];
    const client = async (): Promise<void> => {
      while (next < end) {
        next += 1;
        const index = next;
        const waitMs = ((index - first) * 1_000 * calls) / RATE - (performance.now() - begunMs);
        if (waitMs > 0) await sleep(waitMs);
        await work(index);
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    if (round > 0) figures.push(((processorSeconds(child.pid).own - before.own) * 1_000) / count / calls);
  }
  return median(figures);
}

async function call({ pool }: Server, route: string, body?: unknown): Promise<unknown> {
  const answer = await pool.request({
    path: route,
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const value: unknown = await answer.body.json();
  if (answer.statusCode === 200) return value;
  throw new Error(`${route} answered ${answer.statusCode}: ${JSON.stringify(value)}`);
}

async function start(args: readonly string[], cwd: string): Promise<Server> {
  const child = spawn(process.execPath, args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value } = (await lines.next()) as { readonly value: string };
  const { url } = JSON.parse(value) as { readonly url: string };
  return { child, pool: new Pool(url, { connections: CLIENTS }) };
}
