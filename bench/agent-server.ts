import { type ChildProcess, spawn } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { AGENT_REPLIES, AGENT_SIGNS, TABLE } from "./agent-replies.ts";

/** Requests that the server answers at once below `/limited`, and how long it takes over each. */
export const PLACES = 256;
export const REPLY_MS = 500;

/**
 * Answers as the agent whose prompt it sees, which looks at the data twice and then ends: below `/fast` at once, below `/limited` with
 * {@link PLACES} places and {@link REPLY_MS} a reply, below `/held` each after 3 s, below `/record` at once,
 * the bodies kept in the file that it gets. `GET /stats` tells the most requests open at once and the
 * milliseconds at which replies were sent since the last time it was asked. Prints its port.
 */
const SERVER = `
const http = require("node:http");
const fs = require("node:fs");
process.stdin.resume().on("end", () => process.exit());
const { replies, signs, table } = JSON.parse(process.argv[2]);
const usage = { prompt_tokens: 2000, completion_tokens: 120, total_tokens: 2120 };
const body = (content) => JSON.stringify({ id: "c", object: "chat.completion", created: 1, model: "bench",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }], usage });
const replyTo = (text) => {
  const turn = Math.min(2, text.split('"role":"assistant"').length - 1);
  const [, agent] = signs.find(([sign]) => text.includes(sign)) ?? [null, "sql-trail"];
  const content = replies[agent][turn];
  if (!content.includes(table)) return body(content);
  return body(content.replaceAll(table, /CREATE TABLE (\\w+)/.exec(text)?.[1] ?? "none"));
};
let open = 0, mostOpen = 0, sent = [], taken = 0;
const waiting = [];
const answer = (text, response) => {
  const reply = replyTo(text);
  sent.push(performance.now());
  open -= 1;
  response.writeHead(200, { "content-type": "application/json", "content-length": Buffer.byteLength(reply) }).end(reply);
};
const take = (text, response) => {
  taken += 1;
  setTimeout(() => { answer(text, response); taken -= 1; if (waiting.length > 0) take(...waiting.shift()); }, ${REPLY_MS});
};
http.createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => {
    if (request.url === "/stats") {
      response.end(JSON.stringify({ mostOpen, sent }));
      mostOpen = 0; sent = [];
      return;
    }
    const text = Buffer.concat(chunks).toString("utf8");
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    if (request.url.startsWith("/limited")) { if (taken < ${PLACES}) take(text, response); else waiting.push([text, response]); return; }
    if (request.url.startsWith("/held")) { setTimeout(answer, 3000, text, response); return; }
    if (request.url.startsWith("/record")) fs.appendFileSync(process.argv[1], text + "\\n");
    answer(text, response);
  });
}).listen(0, "127.0.0.1", 4096, function () { process.stdout.write(String(this.address().port) + "\\n"); });
`;

/** What the server is started with. */
const SCRIPT = JSON.stringify({ replies: AGENT_REPLIES, signs: AGENT_SIGNS, table: TABLE });

/** What the server saw since it was last asked. */
export interface ServerStats {
  readonly mostOpen: number;
  /** Milliseconds of each reply, in order, from an arbitrary start. */
  readonly sent: readonly number[];
}

/** A model server in a process of its own. */
export class AgentServer {
  readonly origin: string;
  readonly #child: ChildProcess;
  readonly #recording: string;

  private constructor(origin: string, child: ChildProcess, recording: string) {
    this.origin = origin;
    this.#child = child;
    this.#recording = recording;
  }

  /** Starts it; recorded bodies go into `folder`. */
  static async start(folder: string): Promise<AgentServer> {
    const recording = path.join(folder, "bodies.jsonl");
    const child = spawn(process.execPath, ["-e", SERVER, recording, SCRIPT], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const port = await new Promise<string>((resolve, reject) => {
      child.stdout.once("data", (chunk: Buffer) => resolve(chunk.toString("utf8").trim()));
      child.once("exit", () => reject(new Error("the benchmark's server did not start")));
    });
    return new AgentServer(`http://127.0.0.1:${port}`, child, recording);
  }

  async stats(): Promise<ServerStats> {
    return (await (await fetch(`${this.origin}/stats`)).json()) as ServerStats;
  }

  /** Lets go of the bodies recorded so far. */
  async forget(): Promise<void> {
    await writeFile(this.#recording, "");
  }

  /** The bodies asked for below `/record` since the last `forget`. */
  async bodies(): Promise<unknown[]> {
    const lines = (await readFile(this.#recording, "utf8")).trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line) as unknown);
  }

  stop(): void {
    this.#child.kill();
  }
}

/** Replies a second between the 20th and the 80th hundredth of the replies: without the start and the end. */
export function steadyRate({ sent }: ServerStats): number {
  const first = Math.floor(sent.length * 0.2);
  const last = Math.floor(sent.length * 0.8);
  return ((last - first) * 1000) / ((sent[last] ?? 0) - (sent[first] ?? 0));
}
