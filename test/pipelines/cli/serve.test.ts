import { type ChildProcessByStdio, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { PROJECT_ROOT } from "../../e2e/gradus-process.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { expectHelp, expectUsageError } from "./expect-usage.ts";

const QUICKSTART = path.join(PROJECT_ROOT, "configs/quickstart.yaml");
const BODY = {
  model: "simulated-student",
  messages: [{ role: "user", content: "How many ports are on record?" }],
};

/** A serving command: from source, so that the line it begins with can be read while it runs. */
class Serving {
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #lines: AsyncIterator<string>;

  constructor(args: readonly string[]) {
    const main = path.join(PROJECT_ROOT, "pipelines/cli/main.ts");
    this.#child = spawn(process.execPath, ["--import", "tsx", main, "serve", ...args], {
      cwd: PROJECT_ROOT,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stderr = "";
    this.#child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.ended = new Promise((resolve) => {
      this.#child.once("close", (code) => resolve({ code, stderr }));
    });
  }

  async line(): Promise<string> {
    const next = await this.#lines.next();
    return next.done === true ? `ended: ${(await this.ended).stderr}` : next.value;
  }

  kill(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

const started: Serving[] = [];

afterEach(async () => {
  for (const serving of started.splice(0)) {
    serving.kill("SIGKILL");
    await serving.ended;
  }
});

function serve(...args: readonly string[]): Serving {
  const serving = new Serving(args);
  started.push(serving);
  return serving;
}

async function ask(baseUrl: string, body: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

it("help has examples", () => expectHelp("serve"));

it.each([
  [["serve", "simulated"], "required option '--config <file>' not specified"],
  [["serve", "replay"], "required option '--file <file>' not specified"],
  [
    ["serve", "simulated", "--config", QUICKSTART, "--competence", "2"],
    "--competence must be a number from 0 to 1",
  ],
  [["serve", "simulated", "--config", QUICKSTART, "--port", "70000"], "--port must be at most 65535"],
  [["serve", "simulated", "--config", QUICKSTART, "--fault-seed", "1"], "need --faults"],
  [
    ["serve", "simulated", "--config", QUICKSTART, "--faults", "0.1", "--fault-kinds", "slow"],
    '--fault-kinds has "slow"',
  ],
])("wrong usage exits with 2: %j", (args, said) => expectUsageError(args, said));

describe("gradus serve simulated", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "says where it listens, answers, and ends with 0 at %s",
    async (signal) => {
      const folder = await temporaryFolder();
      const log = path.join(folder, "requests.jsonl");
      const where = ["--config", QUICKSTART, "--runs", folder, "--log", log];
      const serving = serve("simulated", ...where, "--competence", "1", "--json");
      const told = JSON.parse(await serving.line()) as {
        baseUrl: string;
        questions: number;
        models: string[];
      };
      expect(told.models).toEqual(["simulated-student"]);
      expect(told.questions).toBeGreaterThan(50);
      const { status, text } = await ask(told.baseUrl, BODY);
      expect(status).toBe(200);
      expect(text.toLowerCase()).toContain("select count(*) from ports");
      expect(readFileSync(log, "utf8").trimEnd().split("\n")).toHaveLength(1);
      serving.kill(signal);
      expect(await serving.ended).toEqual({ code: 0, stderr: "stopping\n" });
      await expect(ask(told.baseUrl, BODY)).rejects.toThrow("fetch failed");
    },
  );

  it("fails as many requests as it is told to", async () => {
    const folder = await temporaryFolder();
    const faults = ["--faults", "1", "--fault-kinds", "server_500"];
    const serving = serve("simulated", "--config", QUICKSTART, "--runs", folder, ...faults);
    const [baseUrl = ""] = (await serving.line()).split(" ");
    const statuses = [];
    for (let attempt = 0; attempt < 5; attempt += 1) statuses.push((await ask(baseUrl, BODY)).status);
    expect(statuses).toEqual([500, 500, 500, 200, 200]);
  });
});

describe("gradus serve replay", () => {
  it("answers what is recorded, and nothing else", async () => {
    const line = JSON.stringify({ request: BODY, reply: { content: "Twelve." } });
    const file = path.join(await temporaryFolder({ "recorded.jsonl": `${line}\n` }), "recorded.jsonl");
    const serving = serve("replay", "--file", file);
    const told = await serving.line();
    expect(told).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1 \(1 recorded requests\)$/);
    const [baseUrl = ""] = told.split(" ");
    expect((await ask(baseUrl, BODY)).text).toContain("Twelve.");
    expect((await ask(baseUrl, { ...BODY, seed: 9 })).status).toBe(404);
    serving.kill("SIGTERM");
    expect((await serving.ended).code).toBe(0);
  });
});
