import { execFileSync, spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { GradusProcess, PROJECT_ROOT, runGradus } from "./gradus-process.ts";
import { portRows, type RawRow } from "./raw-run.ts";

/** Episodes are at least this many; the whole acceptance asks for 500. */
const EPISODES = Number(process.env["GRADUS_ENV_EPISODES"] ?? 60);
const CLIENTS = 64;
const ROLLOUTS = [
  { scaffold: "single-turn" },
  { scaffold: "sql-trail" },
  { scaffold: "retool-sql" },
  { scaffold: "retool-sql-teacher" },
  { scaffold: "mtsql-r1", options: { history: "gold" } },
  { scaffold: "dualsql-linker", options: { guardrails: { mode: "training" } } },
  { scaffold: "dualsql-sql" },
  { scaffold: "dualsql-generator", options: { guardrails: { mode: "training" } } },
];
const SCAFFOLDS = ROLLOUTS.map(({ scaffold }) => scaffold);
const REWARDS = ["dualsql", "sql-trail", "retool-sql", "mtsql-r1", "outcome"];
const LAYOUTS = ["spider", "bird", "cosql"];
/** One more a dataset, since nobody samples a question whose gold cannot be judged. */
const LIMIT = Math.ceil(EPISODES / SCAFFOLDS.length / LAYOUTS.length) + 1;

interface Served {
  readonly process: GradusProcess;
  readonly url: string;
  readonly baseUrl: string;
}

interface EnvResult {
  readonly scaffold: string;
  readonly example_id: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly mask: readonly number[];
  readonly reward: number | null;
  readonly parts: readonly { readonly mask: readonly number[]; readonly rewards: readonly RawRow[] }[];
  readonly trajectories: readonly RawRow[];
}

let folder = "";
let results: EnvResult[] = [];
const started: GradusProcess[] = [];

function datasets(limit: number) {
  return LAYOUTS.map((layout) => ({ loader: layout, root: `sample:${layout}`, split: "train", limit }));
}

/** A run whose rollouts, and a run whose evaluation, are the episodes. */
function configs(baseUrl: string) {
  const client = { baseUrl, concurrency: { start: 16, max: 64 }, retryDelayMs: 10 };
  const models = { student: { provider: "openai", name: "simulated-student", revision: "1", client } };
  const sampling = { temperature: 1, topP: 0.99, topK: 20, maxTokens: 3000 };
  const rollouts = ROLLOUTS.map((rollout) => ({
    model: "student",
    samples: 1,
    sampling,
    maxCompletionTokens: 20_000,
    ...rollout,
  }));
  const shared = {
    gradus: 1,
    seed: 7,
    models,
    prompt: { valuesPerColumn: 2, scaffold: "sql-trail" },
    judge: { metrics: ["bird-ex"] },
    filter: { trivial: null, intractable: null },
    export: { exporters: [] },
    rewards: REWARDS.map((id) => ({ id })),
  };
  const few = [{ ...rollouts[0], sampling: { temperature: 0 } }];
  return {
    sampled: { ...shared, name: "sampled", datasets: datasets(LIMIT), answers: { rollouts } },
    evaluated: {
      ...shared,
      name: "evaluated",
      datasets: datasets(1),
      answers: { rollouts: few },
      evaluation: { datasets: datasets(LIMIT), rollouts },
    },
  };
}

async function serve(args: readonly string[]): Promise<Served> {
  const child = new GradusProcess(["serve", ...args, "--json"], { cwd: folder });
  started.push(child);
  const { url, baseUrl } = JSON.parse(await child.line()) as {
    readonly url: string;
    readonly baseUrl: string;
  };
  return { process: child, url, baseUrl };
}

function python(args: readonly string[], input: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("python3", [...args], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, GRADUS_URL: "" },
    });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    child.once("close", (code) =>
      code === 0 ? resolve(text) : reject(new Error(`python3 ended with ${code}`)),
    );
    child.stdin.end(input);
  });
}

beforeAll(async () => {
  folder = await temporaryFolder();
  const write = (name: string, value: unknown) =>
    writeFileSync(path.join(folder, name), JSON.stringify(value));
  write("questions.json", configs("http://127.0.0.1:1/v1").sampled);
  const model = await serve(["simulated", "--config", "questions.json", "--seed", "7"]);
  const { sampled, evaluated } = configs(model.baseUrl);
  write("sampled.json", sampled);
  write("evaluated.json", evaluated);
  for (const [file, until] of [
    ["sampled.json", "linking-rewards"],
    ["evaluated.json", "evaluation-accuracy"],
  ] as const) {
    const finished = await runGradus(["run", file, "--until", until, "--quiet"], { cwd: folder });
    expect(finished.status, finished.stderr).toBe(0);
  }
  const env = await serve(["env", "sampled.json", "--write-client", "client", "--quiet"]);
  const { ids: known } = (await (await fetch(`${env.url}/examples`)).json()) as {
    readonly ids: readonly string[];
  };
  const sampledRows = portRows(path.join(folder, "runs", "sampled"), "sample", "trajectories");
  const taken = new Set(sampledRows.map((row) => String(row["exampleId"])));
  const ids = known.filter((id) => taken.has(id));
  const script = path.join(PROJECT_ROOT, "test/e2e/env_client.py");
  const args = [script, path.join(folder, "client"), model.baseUrl, "simulated-student", String(CLIENTS)];
  const lines = await python([...args, SCAFFOLDS.join(",")], ids.join(" "));
  results = lines
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as EnvResult);
}, 900_000);

afterAll(async () => {
  for (const child of started) {
    child.kill("SIGTERM");
    await child.finished;
    await child.leavesNothing();
  }
});

/** Rows by id. */
function byId(rows: readonly RawRow[], ...names: readonly string[]): Map<string, RawRow> {
  return new Map(rows.map((row) => [names.map((name) => String(row[name])).join(" "), row]));
}

describe.each([
  ["the sampler", "sampled", ""],
  ["the evaluator", "evaluated", "evaluation-"],
])("episodes of a Python client are those of %s", (_who, run, prefix) => {
  it("message by message, mask by mask", () => {
    expect(results.length).toBeGreaterThanOrEqual(EPISODES);
    const runFolder = path.join(folder, "runs", run);
    const rows = ["trajectories", "linkings"].flatMap((port) => portRows(runFolder, `${prefix}sample`, port));
    const kept = byId(rows, "id");
    const played = results.flatMap(({ trajectories }) => trajectories);
    expect(played).toHaveLength(rows.length);
    for (const trajectory of played) expect(trajectory).toEqual(kept.get(String(trajectory["id"])));
    expect(new Set(played.map((trajectory) => trajectory["stopReason"])).size).toBeGreaterThan(1);
  });

  it("reward by reward, to the last digit", () => {
    const runFolder = path.join(folder, "runs", run);
    const rows = ["rewards", "linking-rewards"].flatMap((step) =>
      portRows(runFolder, `${prefix}${step}`, "rewards"),
    );
    const kept = byId(rows, "trajectoryId", "reward");
    const given = results.flatMap(({ parts }) => parts.flatMap(({ rewards }) => rewards));
    expect(given).toHaveLength(rows.length);
    for (const row of given) {
      expect(JSON.stringify(row, Object.keys(row).sort())).toBe(
        JSON.stringify(
          kept.get(`${String(row["trajectoryId"])} ${String(row["reward"])}`),
          Object.keys(row).sort(),
        ),
      );
      expect(row).toEqual(kept.get(`${String(row["trajectoryId"])} ${String(row["reward"])}`));
    }
    expect(new Set(given.map(({ total }) => total)).size).toBeGreaterThan(5);
  });
});

it("what a client gathered turn by turn is the conversation, with its mask", () => {
  for (const { messages, mask, trajectories, parts, reward } of results) {
    const last = trajectories.at(-1) as {
      readonly messages: readonly { readonly rawText: string; readonly train: boolean }[];
    };
    expect(messages.map(({ content }) => content)).toEqual(last.messages.map(({ rawText }) => rawText));
    expect(mask).toEqual(last.messages.map(({ train }) => (train ? 1 : 0)));
    expect(parts.at(-1)?.mask).toEqual(mask);
    expect(reward).toBe(parts.at(-1)?.rewards[0]?.["total"]);
  }
});

it("the written files compile", () => {
  const client = path.join(folder, "client");
  const files = [
    "gradus_client",
    "verl_reward",
    "verl_tool",
    "verl_agent_loop",
    "skyrl_env",
    "trl_reward",
    "openrlhf_agent",
  ];
  execFileSync("python3", ["-m", "py_compile", ...files.map((name) => path.join(client, `${name}.py`))]);
  const tools = JSON.parse(readFileSync(path.join(client, "verl_tools.yaml"), "utf8")) as {
    readonly tools: readonly unknown[];
  };
  expect(tools.tools).toHaveLength(1);
});
