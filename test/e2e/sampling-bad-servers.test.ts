import { readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answer, ModelServer, reply } from "../fakes/model-server.ts";
import type { Finished } from "./gradus-process.ts";
import { filesBelow, stepsOf } from "./raw-run.ts";
import { type SamplingChanges, SamplingWorkspace, SimulatedServer } from "./sampling-run.ts";

const CONCURRENCY = 4;
/** Stands for a key; it is in no file but this one. */
const CANARY = "sk-canary-5f0c9d27b1e84a63";

let good: SimulatedServer;
let clean: SamplingWorkspace;
let asked: number;

beforeAll(async () => {
  good = await SimulatedServer.start();
  clean = await SamplingWorkspace.make(good.baseUrl);
  await clean.complete();
  asked = good.requests().length;
});

afterAll(() => good.stop());

async function workspaceOf(baseUrl: string, changes: SamplingChanges = {}): Promise<SamplingWorkspace> {
  return SamplingWorkspace.make(baseUrl, { concurrency: CONCURRENCY, ...changes });
}

/** A run that fails with a code, in words and without a stack. */
function expectFailure(finished: Finished, code: string, ...said: readonly string[]): void {
  expect(finished.status, finished.stderr).toBe(1);
  expect(finished.stderr).toContain(`${code}: `);
  for (const text of said) expect(finished.stderr).toContain(text);
  expect(finished.stderr).not.toMatch(/^\s+at /m);
  expect(finished.stdout).toBe("");
}

function expectNothingSampled(workspace: SamplingWorkspace): void {
  const { committed, finished, dropped } = workspace.ledger();
  expect({ committed: committed.size, finished, dropped }).toEqual({ committed: 0, finished: 0, dropped: 0 });
  expect(stepsOf(workspace.runFolder)).not.toContain("sample");
}

/** The run goes on at the good server and asks it for everything. */
async function expectSameAtGoodServer(workspace: SamplingWorkspace): Promise<void> {
  const before = good.requests().length;
  workspace.change(good.baseUrl);
  await workspace.complete();
  expect(good.requests().length - before).toBe(asked);
  expect(workspace.shards()).toEqual(clean.shards());
}

/** Manifests name the rows that shards come from, which hold what each answer cost. */
function withoutManifests(digests: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(digests).filter(([name]) => !name.endsWith("manifest.json")));
}

describe("a server that does not answer", () => {
  it("is given up, and nothing is taken for a sample", async () => {
    const circuit = { failures: 2, cooldownMs: 50, giveUpAfterMs: 400 };
    const workspace = await workspaceOf("http://127.0.0.1:1/v1", { client: { circuit } });
    const finished = await workspace.run();
    expectFailure(
      finished,
      "MODEL_CIRCUIT_OPEN",
      "the server at http://127.0.0.1:1/v1",
      "check that the server runs",
    );
    expectNothingSampled(workspace);
    await expectSameAtGoodServer(workspace);
  });
});

describe("a server that refuses the key", () => {
  let server: ModelServer;
  let workspace: SamplingWorkspace;
  let finished: Finished;
  const changes = { concurrency: CONCURRENCY, client: { apiKeyVariable: "SAMPLING_TEST_KEY" } };

  beforeAll(async () => {
    const refusal = {
      error: { message: `the key ${CANARY} is not known`, type: "auth", code: "invalid_api_key" },
    };
    server = await ModelServer.start(reply(401, refusal));
    workspace = await SamplingWorkspace.make(server.baseUrl, changes);
    finished = await runWithKey();
  });

  afterAll(() => server.close());

  async function runWithKey(): Promise<Finished> {
    const running = workspace.startWith({ env: { SAMPLING_TEST_KEY: CANARY } });
    const ended = await running.finished;
    await running.leavesNothing();
    return ended;
  }

  /** Files of the workspace that hold the key, in whatever form SQLite and Parquet leave text. */
  function filesWithKey(): string[] {
    return filesBelow(workspace.folder).filter((name) =>
      readFileSync(path.join(workspace.folder, name)).includes(CANARY),
    );
  }

  it("ends the run at once", () => {
    expectFailure(finished, "MODEL_KEY_REFUSED", "SAMPLING_TEST_KEY");
    expectNothingSampled(workspace);
    expect(server.requests.length).toBeLessThanOrEqual(CONCURRENCY);
    expect(server.requests[0]?.headers["authorization"]).toBe(`Bearer ${CANARY}`);
  });

  it("gets the key into no file and no line, though it says it itself", () => {
    expect(finished.stderr).not.toContain(CANARY);
    expect(workspace.ledger().events).toEqual({ MODEL_KEY_REFUSED: expect.any(Number) });
    expect(filesWithKey()).toEqual([]);
  });

  it("leaves a run that goes on with a good server, and still without the key", async () => {
    workspace.change(good.baseUrl, changes);
    const ended = await runWithKey();
    expect(ended.status, ended.stderr).toBe(0);
    expect(workspace.shards()).toEqual(clean.shards());
    expect(ended.stdout + ended.stderr).not.toContain(CANARY);
    expect(filesBelow(workspace.folder).length).toBeGreaterThan(50);
    expect(filesWithKey()).toEqual([]);
  });
});

describe("a server that serves another model", () => {
  it("ends the run, and none of its completions is kept", async () => {
    const server = await ModelServer.start(answer("<sql>SELECT 1</sql>", {}, { model: "another-model" }));
    const workspace = await workspaceOf(server.baseUrl);
    const finished = await workspace.run();
    await server.close();
    expectFailure(finished, "MODEL_CHANGED", "another-model", "simulated-student");
    expectNothingSampled(workspace);
    expect(server.requests.length).toBeLessThanOrEqual(CONCURRENCY);
    await expectSameAtGoodServer(workspace);
  });
});

describe("a budget", () => {
  it("that is spent ends the run, which keeps what was paid for", async () => {
    const prices = { promptUsdPerMillion: 1, completionUsdPerMillion: 1 };
    const workspace = await workspaceOf(good.baseUrl, { client: { prices, maxCostUsd: 0.05 } });
    const before = good.requests().length;
    const finished = await workspace.run();
    const paid = (await good.settledRequests()).length - before;
    expectFailure(finished, "MODEL_BUDGET_SPENT", "of $0.050000 are spent", "raise maxCostUsd");
    expect(paid).toBeGreaterThan(10);
    expect(paid).toBeLessThan(asked / 2);
    expect(workspace.ledger().committed.size).toBe(paid);
    workspace.change(good.baseUrl, { client: { prices, maxCostUsd: 5 } });
    await workspace.complete();
    expect(good.requests().length - before).toBe(asked);
    expect(withoutManifests(workspace.shards())).toEqual(withoutManifests(clean.shards()));
  });
});

describe("a server that fails now and then for longer than the client tries", () => {
  it("leaves samples open, which later runs take", async () => {
    const server = await SimulatedServer.start("--faults", "0.2", "--fault-kinds", "server_500,half_json");
    const client = { retries: 0, circuit: { failures: 1_000 } };
    const workspace = await workspaceOf(server.baseUrl, { client });
    let runs = 1;
    for (let finished = await workspace.run(); finished.status !== 0; finished = await workspace.run()) {
      expectFailure(finished, "SAMPLES_OPEN", "run the same command again");
      expect(workspace.ledger().events["MODEL_UNAVAILABLE"]).toBeGreaterThan(0);
      runs += 1;
      expect(runs).toBeLessThan(20);
    }
    await server.stop();
    expect(runs).toBeGreaterThan(1);
    expect(workspace.shards()).toEqual(clean.shards());
    const failed = server.requests().filter(({ fault }) => fault !== null).length;
    expect(server.requests()).toHaveLength(asked + failed);
  });
});
