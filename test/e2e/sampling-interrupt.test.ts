import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hang, ModelServer } from "../fakes/model-server.ts";
import type { GradusProcess } from "./gradus-process.ts";
import { stepsOf } from "./raw-run.ts";
import { SamplingWorkspace, SimulatedServer, untilHolds } from "./sampling-run.ts";

const REQUESTS = 6;
const EPISODES = 24;
/** Fewer requests at once than episodes in flight, so that some wait to be sent. */
const CHANGES = { concurrency: EPISODES, client: { concurrency: { start: REQUESTS, max: REQUESTS } } };

let server: SimulatedServer;
let fast: SimulatedServer;
let undisturbed: SamplingWorkspace;
let asked: number;

beforeAll(async () => {
  server = await SimulatedServer.start("--delay", "400", "--delay-spread", "200");
  fast = await SimulatedServer.start();
  undisturbed = await SamplingWorkspace.make(fast.baseUrl);
  await undisturbed.complete();
  asked = fast.requests().length;
});

afterAll(async () => {
  await server.stop();
  await fast.stop();
});

describe("an interrupt while replies are on their way", () => {
  it.each([
    ["Ctrl-C", (running: GradusProcess) => running.killGroup("SIGINT")],
    ["SIGTERM to the process", (running: GradusProcess) => running.kill("SIGTERM")],
  ])(
    "%s keeps them, sends nothing more, ends with 130, and the next run makes the same bytes",
    async (_name, interrupt) => {
      const workspace = await SamplingWorkspace.make(server.baseUrl, CHANGES);
      const from = server.requests().length;
      const running = workspace.start();
      await untilHolds(running, () => server.requests().length > from + 2 * REQUESTS);
      interrupt(running);
      const atInterrupt = { ledger: workspace.ledger(), requests: server.requests().length - from };
      const finished = await running.finished;
      await running.leavesNothing();
      expect(finished.status, finished.stderr).toBe(130);
      expect(finished.stderr).toContain("INTERRUPTED: ");
      expect(finished.stderr).not.toMatch(/^\s+at /m);
      const log = await server.settledRequests();
      const ledger = workspace.ledger();
      expect(atInterrupt.ledger.committed.size).toBeLessThan(atInterrupt.requests);
      expect(ledger.committed.size).toBe(log.length - from);
      expect(log.length - from).toBeLessThanOrEqual(atInterrupt.requests + REQUESTS);
      expect(ledger).toMatchObject({ dropped: 0, events: {} });
      expect(stepsOf(workspace.runFolder)).not.toContain("sample");

      const before = fast.requests().length;
      workspace.change(fast.baseUrl, CHANGES);
      await workspace.complete();
      expect(log.length - from + fast.requests().length - before).toBe(asked);
      expect(workspace.shards()).toEqual(undisturbed.shards());
    },
  );

  it("does not wait for a server that is down to come back", async () => {
    const client = { circuit: { failures: 2, cooldownMs: 60_000, giveUpAfterMs: 120_000 } };
    const workspace = await SamplingWorkspace.make("http://127.0.0.1:1/v1", { client });
    const running = workspace.start();
    await running.says("sample: started");
    await untilHolds(running, () => workspace.ledger().samples > 0);
    running.kill("SIGINT");
    const finished = await running.finished;
    await running.leavesNothing();
    expect(finished.status, finished.stderr).toBe(130);
  });

  it("a second one ends it though a reply never comes", async () => {
    const silent = await ModelServer.start(hang());
    try {
      const workspace = await SamplingWorkspace.make(silent.baseUrl);
      const running = workspace.start();
      await untilHolds(running, () => silent.requests.length > 0);
      running.kill("SIGINT");
      await running.says("stopping");
      running.kill("SIGINT");
      expect(await running.finished).toMatchObject({ status: 130 });
      await running.leavesNothing();
    } finally {
      await silent.close();
    }
  });
});
