import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runGradus } from "./gradus-process.ts";
import { readLedger, SamplingWorkspace, SimulatedServer, untilHolds } from "./sampling-run.ts";

let server: SimulatedServer;
let alone: SamplingWorkspace;
let asked: number;

beforeAll(async () => {
  server = await SimulatedServer.start("--delay", "15", "--delay-spread", "30");
  alone = await SamplingWorkspace.make(server.baseUrl);
  await alone.complete();
  asked = server.requests().length;
});

afterAll(() => server.stop());

describe("two workers on one run", () => {
  it("sample it together, one of them killed on its way, and the run needs nothing more", async () => {
    const workspace = await SamplingWorkspace.make(server.baseUrl);
    const ledgerOf = (worker: string) =>
      readLedger(path.join(workspace.runFolder, `worker-${worker}`, "ledger.sqlite"));
    const first = workspace.start("--worker", "1/2");
    const killed = workspace.start("--worker", "2/2");
    await untilHolds(killed, () => ledgerOf("2-of-2").committed.size > 10);
    killed.kill("SIGKILL");
    expect(await killed.finished).toMatchObject({ signal: "SIGKILL" });
    await killed.leavesNothing();
    const restarted = workspace.start("--worker", "2/2");
    for (const worker of [first, restarted]) {
      const finished = await worker.finished;
      expect(finished.status, finished.stderr).toBe(0);
      await worker.leavesNothing();
    }
    const before = (await server.settledRequests()).length;
    const parts = [ledgerOf("1-of-2"), ledgerOf("2-of-2")];
    for (const { finished, samples } of parts) {
      expect(finished).toBe(samples);
      expect(finished).toBeGreaterThan(20);
    }
    const repartitioned = await workspace.start("--worker", "1/3").finished;
    expect(repartitioned.status, repartitioned.stderr).toBe(0);
    await workspace.complete();
    expect(server.requests()).toHaveLength(before);
    expect(workspace.shards()).toEqual(alone.shards());
    expect(workspace.ledger()).toMatchObject({
      samples: alone.ledger().samples,
      committed: alone.ledger().committed,
      dropped: 0,
    });
    expect(parts.map(({ committed }) => committed.size).reduce((sum, size) => sum + size)).toBe(asked);
  });
});

describe("a second process on one run", () => {
  it("is refused with the holder's name while the first samples, and changes nothing", async () => {
    const workspace = await SamplingWorkspace.make(server.baseUrl);
    const first = workspace.start();
    await first.says("sample: started");
    await sleep(100);
    const args = ["run", "run.json", "--workers", "1", "--quiet"];
    const second = await runGradus(args, { cwd: workspace.folder });
    expect(second.status).toBe(1);
    expect(second.stderr).toMatch(/^RUN_LOCKED: /);
    expect(second.stderr).toContain(`process ${first.pid} `);
    const finished = await first.finished;
    await first.leavesNothing();
    expect(finished.status, finished.stderr).toBe(0);
    expect(workspace.shards()).toEqual(alone.shards());
  });
});
