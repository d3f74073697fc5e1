import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SeededRandom } from "../../core/random.ts";
import { falselyWhole } from "./raw-run.ts";
import {
  type LoggedRequest,
  type RawLedger,
  SamplingWorkspace,
  SimulatedServer,
  untilHolds,
} from "./sampling-run.ts";

const KILLS = 20;
const CONCURRENCY = 6;
const LONGEST_START_MS = 900;
const LONGEST_SAMPLING_MS = 320;

let server: SimulatedServer;
let undisturbed: SamplingWorkspace;
let asked: number;

beforeAll(async () => {
  server = await SimulatedServer.start("--delay", "60", "--delay-spread", "120");
  undisturbed = await SamplingWorkspace.make(server.baseUrl, { concurrency: CONCURRENCY });
  await undisturbed.complete();
  asked = server.requests().length;
});

afterAll(() => server.stop());

/** What was there right after a kill. */
interface Kill {
  readonly ledger: RawLedger;
  /** Requests logged until then. */
  readonly logged: number;
}

/** Starts the run and kills it: after `delayMs`, or so long after it began to sample. */
async function kill(workspace: SamplingWorkspace, delayMs: number, isSampling: boolean): Promise<void> {
  const running = workspace.start();
  if (isSampling) await untilHolds(running, () => /(sample|score): started/.test(running.standardError));
  await Promise.race([running.finished, sleep(delayMs)]);
  running.kill("SIGKILL");
  expect(await running.finished).toMatchObject({ signal: "SIGKILL" });
  await running.leavesNothing();
}

async function killRepeatedly(workspace: SamplingWorkspace): Promise<Kill[]> {
  const random = new SeededRandom(7, "kills");
  const kills: Kill[] = [];
  for (let number = 0; number < KILLS; number += 1) {
    const isSampling = number % 4 > 0;
    await kill(workspace, random.integer(isSampling ? LONGEST_SAMPLING_MS : LONGEST_START_MS), isSampling);
    const logged = (await server.settledRequests()).length;
    kills.push({ ledger: workspace.ledger(), logged });
    expect(falselyWhole(workspace.runFolder)).toEqual([]);
  }
  return kills;
}

/** What each kill cost: requests before it, since the one before, that no ledger had. */
function lostAt(kills: readonly Kill[], log: readonly LoggedRequest[], from: number): number[] {
  return kills.map(({ ledger, logged }, index) => {
    const since = log.slice(kills[index - 1]?.logged ?? from, logged);
    return since.filter(({ requestHash }) => !ledger.committed.has(requestHash)).length;
  });
}

it(`${KILLS} kills at random moments lose only the requests on their way, and end in the same shards`, async () => {
  const from = server.requests().length;
  const workspace = await SamplingWorkspace.make(server.baseUrl, { concurrency: CONCURRENCY });
  const kills = await killRepeatedly(workspace);
  await workspace.complete();
  const log = await server.settledRequests();
  expect(workspace.shards()).toEqual(undisturbed.shards());
  expect(workspace.ledger()).toMatchObject({ dropped: 0, events: {} });

  for (const { ledger, logged } of kills) {
    const after = log.slice(logged).map(({ requestHash }) => requestHash);
    expect(after.filter((hash) => ledger.committed.has(hash))).toEqual([]);
  }
  const lost = lostAt(kills, log, from);
  const repeated = log.length - from - asked;
  const amidSampling = kills.filter(
    ({ ledger }) => ledger.committed.size > 0 && ledger.committed.size < asked,
  );
  console.log(
    `${kills.length} kills, ${amidSampling.length} amid sampling: ${asked} requests needed, ${repeated} repeated, at most ${Math.max(...lost)} a kill`,
  );
  expect(Math.max(...lost)).toBeLessThanOrEqual(CONCURRENCY);
  expect(repeated).toBe(lost.reduce((sum, count) => sum + count, 0));
  expect(amidSampling.length).toBeGreaterThan(KILLS / 4);
});
