import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { GradusProcess, PROJECT_ROOT, runGradus } from "./gradus-process.ts";

const CONFIG = {
  gradus: 1,
  name: "served",
  datasets: [{ loader: "bird", root: "sample:bird", split: "train", limit: 4 }],
  models: { student: { provider: "simulated", name: "simulated-student" } },
  answers: { rollouts: [{ model: "student", scaffold: "dualsql-sql", samples: 1 }] },
  rewards: [{ id: "dualsql", options: { metric: "bird-ex", terms: { tool: 0 } } }],
  prompt: { scaffold: "dualsql-sql" },
};

let folder = "";
let env: GradusProcess | undefined;
let url = "";

beforeAll(async () => {
  folder = await temporaryFolder();
  writeFileSync(path.join(folder, "served.json"), JSON.stringify(CONFIG));
  const args = [
    "serve",
    "env",
    "served.json",
    "--json",
    "--token-env",
    "GRADUS_TOKEN",
    "--write-client",
    "client",
  ];
  env = new GradusProcess(args, { cwd: folder, env: { GRADUS_TOKEN: "hush" } });
  url = (JSON.parse(await env.line()) as { readonly url: string }).url;
});

afterAll(async () => {
  env?.kill("SIGTERM");
  expect((await env?.finished)?.status).toBe(0);
  await env?.leavesNothing();
});

function python(input: unknown): Record<string, unknown> {
  const args = [path.join(PROJECT_ROOT, "test/e2e/client_parts.py"), path.join(folder, "client")];
  const environment = { ...process.env, GRADUS_URL: "", GRADUS_TOKEN: "hush" };
  const text = execFileSync("python3", args, {
    input: JSON.stringify(input),
    env: environment,
    encoding: "utf8",
  });
  return JSON.parse(text) as Record<string, unknown>;
}

it("what needs no trainer runs on the system's Python, with a token", async () => {
  const headers = { authorization: "Bearer hush" };
  const { ids } = (await (await fetch(`${url}/examples`, { headers })).json()) as {
    readonly ids: readonly string[];
  };
  expect((await fetch(`${url}/examples`)).status).toBe(401);
  const answered = python({ ids, gold: "SELECT 1" });
  const keys = ["score", "scored", "task", "tool", "format", "length"];
  for (const row of answered["scores"] as readonly object[]) expect(Object.keys(row)).toEqual(keys);
  expect(answered["scores"]).toMatchObject([
    { score: 0.1, scored: 1, task: 0, format: 1 },
    { score: 0, scored: 1, task: 0, format: 0 },
    { score: 0.1 },
  ]);
  expect(answered).toMatchObject({
    trl: [0.1, 0.1],
    tools: ["database_profiler", "execute_sql", "full_text_search"],
    large: [413, "REQUEST_TOO_LARGE"],
    unknown: [404, "EXAMPLE_UNKNOWN"],
    busy: ids.length,
    // A reply that ended by itself has its end; one that was cut gets it.
    whole: "\n<|im_start|>user\nok<|im_end|>\n<|im_start|>assistant\n",
    cut: "<|im_end|>\n<|im_start|>user\nok<|im_end|>\n<|im_start|>assistant\n",
  });
  expect(answered["ran"]).toContain("1");
});

it("is refused an address beyond this machine without a token", async () => {
  const finished = await runGradus(["serve", "rewards", "served.json", "--host", "0.0.0.0", "--quiet"], {
    cwd: folder,
  });
  expect(finished.status).toBe(1);
  expect(finished.stderr).toContain("SERVICE_TOKEN_MISSING");
});
