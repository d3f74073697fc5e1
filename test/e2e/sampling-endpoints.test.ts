import { afterAll, beforeAll, expect, it } from "vitest";
import { SamplingWorkspace, SimulatedServer, untilHolds } from "./sampling-run.ts";

const DELAY = ["--delay", "15", "--delay-spread", "30"] as const;

let servers: SimulatedServer[];
let alone: SamplingWorkspace;
let asked: number;

beforeAll(async () => {
  servers = await Promise.all([1, 2, 3].map(() => SimulatedServer.start(...DELAY)));
  const [first] = servers as [SimulatedServer];
  alone = await SamplingWorkspace.make(first.baseUrl);
  await alone.complete();
  asked = first.requests().length;
});

afterAll(() => Promise.all(servers.map((server) => server.stop())));

/** A run that asks all servers, and goes on when one of them fails twice. */
function workspaceOfAll(): Promise<SamplingWorkspace> {
  const baseUrls = servers.map(({ baseUrl }) => baseUrl);
  const circuit = { failures: 2, cooldownMs: 200, giveUpAfterMs: 2_000 };
  return SamplingWorkspace.make("", { client: { baseUrl: null, baseUrls, circuit } });
}

it("a run asks several servers of one model, and its shards do not show it", async () => {
  const before = servers.map((server) => server.requests().length);
  const workspace = await workspaceOfAll();
  await workspace.complete();
  expect(workspace.shards()).toEqual(alone.shards());
  const counts = servers.map((server, place) => server.requests().length - (before[place] ?? 0));
  expect(counts.reduce((sum, count) => sum + count)).toBe(asked);
  expect(Math.min(...counts)).toBeGreaterThan(0);
});

it("a run goes on when one of its servers dies, and stops when all have", async () => {
  const workspace = await workspaceOfAll();
  const running = workspace.start();
  await untilHolds(running, () => workspace.ledger().committed.size > 10);
  await servers[0]?.stop();
  const finished = await running.finished;
  expect(finished.status, finished.stderr).toBe(0);
  expect(workspace.shards()).toEqual(alone.shards());
  expect(workspace.ledger().events).toEqual({});

  const interrupted = await workspaceOfAll();
  const dying = interrupted.start();
  await untilHolds(dying, () => interrupted.ledger().committed.size > 10);
  await Promise.all(servers.map((server) => server.stop()));
  const ended = await dying.finished;
  expect(ended.status).toBe(1);
  expect(ended.stderr).toContain("MODEL_CIRCUIT_OPEN: none of 3 servers works");
  for (const { baseUrl } of servers) expect(ended.stderr).toContain(baseUrl);
});
