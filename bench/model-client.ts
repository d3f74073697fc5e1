import { spawn, type ChildProcess } from "node:child_process";
import OpenAI from "openai";
import { Agent, request as send } from "undici";
import type { ModelRequest } from "../core/model.ts";
import { createOpenAiModel } from "../io/models/openai-model.ts";

const CALLS_A_ROUND = 1_500;
const ROUNDS = 3;
const CALLERS = 16;
const PLACES = 256;
const REPLY_MS = 500;
const SUSTAINED_CALLS = PLACES * 12;

/** Answers `/fast/…` at once and `/slow/…` after half a second with at most 256 at a time; prints its port. */
const SERVER = `
const http = require("node:http");
process.stdin.resume().on("end", () => process.exit());
const message = { role: "assistant", content: "SELECT name FROM singer WHERE age > 20 ".repeat(25) };
const usage = { prompt_tokens: 2000, completion_tokens: 300, total_tokens: 2300 };
const body = JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "bench",
  choices: [{ index: 0, message, finish_reason: "stop" }], usage });
const waiting = [];
let taken = 0;
const answer = (response) => response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(body) }).end(body);
const take = (response) => {
  taken += 1;
  setTimeout(() => { answer(response); taken -= 1; if (waiting.length > 0) take(waiting.shift()); }, ${REPLY_MS});
};
http.createServer((request, response) => {
  request.resume();
  request.on("end", () => {
    if (request.url.startsWith("/fast")) answer(response);
    else if (taken < ${PLACES}) take(response);
    else waiting.push(response);
  });
}).listen(0, "127.0.0.1", function () { process.stdout.write(String(this.address().port) + "\\n"); });
`;

const REQUEST: ModelRequest = {
  model: "bench",
  messages: [
    { role: "system", content: "CREATE TABLE singer (id INTEGER, name TEXT); ".repeat(180), ...noCalls() },
    { role: "user", content: "How many singers are there?", ...noCalls() },
  ],
  tools: [],
  sampling: { temperature: 0.8, topP: 0.95, topK: -1, maxTokens: 1024, stop: [], extra: {} },
  seed: 1,
};

const BODY = {
  model: "bench",
  messages: REQUEST.messages.map(({ role, content }) => ({ role: role as "user", content })),
  temperature: 0.8,
  top_p: 0.95,
  max_tokens: 1024,
  seed: 1,
  stream: false as const,
};

/**
 * Figures of the model client: CPU time of this process for a call against the openai package alone, and the
 * share it sustains of what a bare undici client gets from a server with 256 places and 500 ms a reply.
 */
export async function benchModelClient(): Promise<readonly { name: string; value: string }[]> {
  const server = await startServer();
  try {
    const { ours, stock } = await cpuOfCalls(`${server.origin}/fast/v1`);
    const sustained = await sustainedRates(`${server.origin}/slow/v1`);
    return [
      { name: "model client, CPU ms a call", value: ours.toFixed(3) },
      { name: "openai package alone, CPU ms a call", value: stock.toFixed(3) },
      { name: "model client against openai package", value: (ours / stock).toFixed(2) },
      { name: "model client, requests a second (256 places, 500 ms)", value: sustained.ours.toFixed(0) },
      { name: "bare undici, requests a second (256 places, 500 ms)", value: sustained.bare.toFixed(0) },
      { name: "model client, share of the ceiling", value: (sustained.ours / sustained.bare).toFixed(2) },
    ];
  } finally {
    server.child.kill();
  }
}

async function cpuOfCalls(baseUrl: string): Promise<{ ours: number; stock: number }> {
  const signal = new AbortController().signal;
  const model = createOpenAiModel({ baseUrl, concurrency: { start: CALLERS, max: CALLERS } });
  const client = new OpenAI({ baseURL: baseUrl, apiKey: "none", maxRetries: 0 });
  const callOurs = (): Promise<unknown> => model.complete(REQUEST, signal);
  const callStock = (): Promise<unknown> => client.chat.completions.create(BODY);
  await repeat(300, CALLERS, callOurs);
  await repeat(300, CALLERS, callStock);
  const ours: number[] = [];
  const stock: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await cpuMs(callOurs));
    stock.push(await cpuMs(callStock));
  }
  await model.close();
  return { ours: median(ours), stock: median(stock) };
}

async function sustainedRates(baseUrl: string): Promise<{ ours: number; bare: number }> {
  const signal = new AbortController().signal;
  const agent = new Agent({ connections: PLACES });
  const callBare = async (): Promise<void> => {
    const reply = await send(`${baseUrl}/chat/completions`, {
      dispatcher: agent,
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(BODY),
    });
    await reply.body.json();
  };
  const bare = await rate(callBare);
  await agent.close();
  const model = createOpenAiModel({ baseUrl, concurrency: { max: PLACES } });
  const callOurs = (): Promise<unknown> => model.complete(REQUEST, signal);
  await repeat(PLACES * 3, PLACES * 2, callOurs);
  const ours = await rate(callOurs);
  await model.close();
  return { ours, bare };
}

async function rate(call: () => Promise<unknown>): Promise<number> {
  await repeat(PLACES, PLACES, call);
  const start = performance.now();
  await repeat(SUSTAINED_CALLS, PLACES, call);
  return (SUSTAINED_CALLS * 1000) / (performance.now() - start);
}

async function cpuMs(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await repeat(CALLS_A_ROUND, CALLERS, call);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / CALLS_A_ROUND;
}

async function repeat(calls: number, callers: number, call: () => Promise<unknown>): Promise<void> {
  let left = calls;
  const run = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: callers }, run));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

function noCalls(): { reasoning: null; toolCalls: []; toolCallId: null } {
  return { reasoning: null, toolCalls: [], toolCallId: null };
}

async function startServer(): Promise<{ child: ChildProcess; origin: string }> {
  const child = spawn(process.execPath, ["-e", SERVER], { stdio: ["pipe", "pipe", "inherit"] });
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString("utf8").trim()));
    child.once("exit", () => reject(new Error("the benchmark's server did not start")));
  });
  return { child, origin: `http://127.0.0.1:${port}` };
}
