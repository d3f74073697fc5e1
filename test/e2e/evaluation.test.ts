import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EvaluationDocument } from "../../pipelines/evaluation-document.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { type Finished, GradusProcess, runGradus } from "./gradus-process.ts";
import { readLedger, SimulatedServer, untilHolds } from "./sampling-run.ts";

const DATASET = { loader: "cosql", root: "sample:cosql", split: "dev" };
const QUESTIONS = 20;

let server: SimulatedServer;

beforeAll(async () => {
  server = await SimulatedServer.startOn({ config: { datasets: [DATASET] } });
});

afterAll(() => server.stop());

/** A folder with a config that only evaluates. */
async function workspace(rollouts: readonly unknown[]): Promise<string> {
  const folder = await temporaryFolder();
  configure(folder, rollouts);
  return folder;
}

function configure(folder: string, rollouts: readonly unknown[]): void {
  const client = { baseUrl: server.baseUrl, concurrency: { start: 8, max: 8 } };
  const config = {
    gradus: 1,
    name: "evaluated",
    models: { student: { provider: "openai", name: "simulated-student", revision: "1", client } },
    evaluation: { datasets: [DATASET], rollouts },
    judge: { metrics: ["bird-ex", "spider-em", "schema-linking"] },
  };
  writeFileSync(path.join(folder, "evaluation.json"), JSON.stringify(config));
}

const ARGS = ["evaluate", "evaluation.json", "--workers", "1", "--quiet"];

async function evaluate(folder: string, ...options: readonly string[]): Promise<Finished> {
  const finished = await runGradus([...ARGS, ...options], { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  return finished;
}

function documentOf(folder: string): EvaluationDocument {
  const file = path.join(folder, "runs/evaluated/evaluation.json");
  return EvaluationDocument.parse(JSON.parse(readFileSync(file, "utf8")));
}

const rollout = (samples: number, more: object = {}) => ({
  model: "student",
  scaffold: "single-turn",
  samples,
  ...more,
});

describe("an evaluation of several runs", () => {
  it("samples only the run that is added, and nothing for what it has", async () => {
    const folder = await workspace([rollout(2)]);
    const start = server.requests().length;
    await evaluate(folder);
    const two = server.requests().length;
    expect(two - start).toBe(2 * QUESTIONS);
    const first = documentOf(folder).systems[0];
    configure(folder, [rollout(3)]);
    await evaluate(folder);
    expect(server.requests()).toHaveLength(two + QUESTIONS);
    const added = documentOf(folder).systems[0];
    expect(added?.runs).toBe(3);
    const means = (system: typeof first) => system?.accuracy.map(({ runs }) => runs.slice(0, 2));
    expect(means(added)).toEqual(means(first));
    await evaluate(folder);
    expect(server.requests()).toHaveLength(two + QUESTIONS);
  });

  it("goes on where it was killed, and asks nothing twice", async () => {
    const folder = await workspace([rollout(4)]);
    const start = server.requests().length;
    const killed = new GradusProcess(ARGS, { cwd: folder });
    const ledger = path.join(folder, "runs/evaluated/ledger.sqlite");
    await untilHolds(killed, () => readLedger(ledger).committed.size > 10);
    killed.kill("SIGKILL");
    await killed.finished;
    await killed.leavesNothing();
    const before = await server.settledRequests();
    const kept = readLedger(ledger).committed;
    await evaluate(folder);
    const asked = server.requests().slice(before.length);
    expect(asked.filter(({ requestHash }) => kept.has(requestHash))).toEqual([]);
    // What was in flight at the kill is asked again: at most one request for each of the 64 episodes.
    expect(before.length - start + asked.length).toBeLessThanOrEqual(4 * QUESTIONS + 64);
    expect(documentOf(folder).systems[0]?.samples).toBe(4 * QUESTIONS);
  });
});

describe("variants of a rollout", () => {
  it("are systems of their own: ablations, oracle schema, histories and budgets", async () => {
    const folder = await workspace([
      rollout(1),
      {
        model: "student",
        scaffold: "dualsql-generator",
        samples: 1,
        variants: [
          { name: "oracle schema", options: { oracle: true } },
          { name: "without search", options: { tools: ["execute-sql-json"] } },
        ],
        tokenBudgets: [150],
      },
      {
        model: "student",
        scaffold: "mtsql-r1",
        samples: 1,
        variants: [{ name: "predicted history", options: { history: "predicted" } }],
      },
    ]);
    await evaluate(folder);
    const systems = new Map(documentOf(folder).systems.map((system) => [system.name, system]));
    expect([...systems.keys()]).toEqual([
      "single-turn",
      "dualsql-generator",
      "dualsql-generator, oracle schema",
      "dualsql-generator, without search",
      "dualsql-generator, 150 tokens",
      "mtsql-r1",
      "mtsql-r1, predicted history",
    ]);
    expect(systems.get("dualsql-generator")?.linker?.n).toBe(QUESTIONS);
    expect(systems.get("dualsql-generator, oracle schema")?.linker).toBeNull();
    const toolsOf = (name: string) =>
      systems.get(name)?.tools.flatMap(({ stage, tool }) => (stage === "answer" ? [tool] : []));
    expect(toolsOf("dualsql-generator, without search")).not.toContain("full_text_search");
    expect(systems.get("dualsql-generator, 150 tokens")?.stopReasons["token_budget"]).toBeGreaterThan(0);
    const execute = systems.get("mtsql-r1")?.abilities.find(({ ability }) => ability === "callsExecute");
    expect(execute).toMatchObject({ group: "all", n: QUESTIONS });
    expect(systems.get("single-turn")?.abilities).toEqual([]);
    const groups = systems.get("mtsql-r1")?.accuracy.map(({ group }) => group) ?? [];
    expect(groups).toContain("interactions");
    expect(groups).toContain("turn:1");
    const compared = await runGradus(
      ["compare", "evaluated:dualsql-generator", "evaluated:mtsql-r1", "--metrics", "bird-ex", "--json"],
      { cwd: folder },
    );
    expect(compared.status, compared.stderr).toBe(0);
    const report = JSON.parse(compared.stdout) as { comparisons: { pairs: number; sentence: string }[] };
    expect(report.comparisons[0]?.pairs).toBe(QUESTIONS);
  });
});

it("wrong usage is told before anything is asked", async () => {
  const folder = await workspace([rollout(1, { stopEarly: "mixed" })]);
  const start = server.requests().length;
  const finished = await runGradus(ARGS, { cwd: folder });
  expect(finished.status).toBe(1);
  expect(finished.stderr).toContain("CONFIG_INVALID");
  expect(finished.stderr).toContain("stopEarly leaves questions without all their samples");
  expect(server.requests()).toHaveLength(start);
});
