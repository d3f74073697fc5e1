import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SeededRandom } from "../../core/random.ts";
import { countBy, falselyWhole, portRows } from "./raw-run.ts";
import { type SamplingChanges, SamplingWorkspace, SimulatedServer, untilHolds } from "./sampling-run.ts";

const CONCURRENCY = 6;
const KILLS = 8;
const LONGEST_SAMPLING_MS = 500;

/** DualSQL's chain on single questions, MTSQL-R1 with its own history on dialogues, ReToolSQL on values. */
const AGENTS: SamplingChanges = {
  concurrency: CONCURRENCY,
  config: {
    datasets: [
      { loader: "bird", root: "sample:bird", split: "train", license: "CC0-1.0", limit: 8 },
      { loader: "cosql", root: "sample:cosql", split: "train", license: "CC0-1.0", limit: 14 },
    ],
    answers: {
      concurrency: CONCURRENCY,
      rollouts: [
        { model: "student", scaffold: "dualsql-generator", samples: 2 },
        { model: "student", scaffold: "mtsql-r1", samples: 2, options: { history: "predicted" } },
        { model: "student", scaffold: "retool-sql", samples: 1 },
      ],
    },
    prompt: { dialect: "m-schema-profile", retrievesValues: true },
  },
};

let server: SimulatedServer;
let undisturbed: SamplingWorkspace;
let asked: number;

beforeAll(async () => {
  server = await SimulatedServer.startOn(AGENTS, "--delay", "20", "--delay-spread", "60");
  undisturbed = await SamplingWorkspace.make(server.baseUrl, AGENTS);
  await undisturbed.complete();
  asked = (await server.settledRequests()).length;
});

afterAll(() => server.stop());

it("chains the linker and the generator, and shows a dialogue's turns what was answered before", () => {
  const trajectories = portRows(undisturbed.runFolder, "sample", "trajectories");
  const linkings = portRows(undisturbed.runFolder, "sample", "linkings");
  const ofScaffold = (id: string) =>
    trajectories.filter(({ scaffold }) => (scaffold as { id: string }).id === id);
  expect(linkings).toHaveLength(ofScaffold("dualsql-generator").length);
  expect(linkings.filter(({ links }) => links !== undefined).length).toBeGreaterThan(linkings.length / 2);
  expect(ofScaffold("mtsql-r1").length).toBeGreaterThan(20);
  const answers = new Set(trajectories.map(({ finalSql }) => finalSql));
  const shown = ofScaffold("mtsql-r1").flatMap(({ messages }) => {
    const opening = (messages as { origin: string; rawText: string }[]).filter(
      ({ origin }) => origin === "given",
    );
    return [
      ...opening
        .map(({ rawText }) => rawText)
        .join("\n")
        .matchAll(/^ *SQL: (.+)$/gm),
    ];
  });
  expect(shown.length).toBeGreaterThan(5);
  for (const [, sql = ""] of shown) {
    expect([...answers].some((answer) => String(answer).trim().startsWith(sql.trim()))).toBe(true);
  }
  expect(countBy(trajectories, "source")).toEqual({ simulated: trajectories.length });
});

it(`${KILLS} kills amid the episodes lose only the requests on their way, and end in the same shards`, async () => {
  const from = (await server.settledRequests()).length;
  const workspace = await SamplingWorkspace.make(server.baseUrl, AGENTS);
  const random = new SeededRandom(11, "kills of agents");
  const committed: ReadonlySet<string>[] = [];
  const logged: number[] = [];
  for (let number = 0; number < KILLS; number += 1) {
    const running = workspace.start();
    await untilHolds(running, () => /(sample|score): started/.test(running.standardError));
    await Promise.race([running.finished, sleep(random.integer(LONGEST_SAMPLING_MS))]);
    running.kill("SIGKILL");
    await running.finished;
    await running.leavesNothing();
    committed.push(workspace.ledger().committed);
    logged.push((await server.settledRequests()).length);
    expect(falselyWhole(workspace.runFolder)).toEqual([]);
  }
  await workspace.complete();
  const log = (await server.settledRequests()).map(({ requestHash }) => requestHash);
  expect(workspace.shards()).toEqual(undisturbed.shards());
  expect(workspace.ledger()).toMatchObject({ dropped: 0, events: {} });
  committed.forEach((hashes, index) => {
    expect(log.slice(logged[index]).filter((hash) => hashes.has(hash))).toEqual([]);
  });
  const repeated = log.length - from - asked;
  console.log(`${KILLS} kills: ${asked} requests needed, ${repeated} repeated`);
  expect(repeated).toBeLessThanOrEqual(KILLS * CONCURRENCY);
  expect(committed.filter(({ size }) => size > 0 && size < asked).length).toBeGreaterThan(KILLS / 4);
});

it("ends in the same shards at a server that fails a tenth of its requests", async () => {
  const faulty = await SimulatedServer.startOn(AGENTS, "--faults", "0.1");
  try {
    const workspace = await SamplingWorkspace.make(faulty.baseUrl, AGENTS);
    await workspace.complete();
    expect(workspace.shards()).toEqual(undisturbed.shards());
    expect(faulty.requests().filter(({ fault }) => fault !== null).length).toBeGreaterThan(asked / 30);
  } finally {
    await faulty.stop();
  }
});
