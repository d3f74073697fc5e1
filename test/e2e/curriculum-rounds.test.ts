import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { runGradus } from "./gradus-process.ts";
import { recomputedPlaces } from "./recomputed-places.ts";
import { SimulatedServer, samplingConfig } from "./sampling-run.ts";

const ROUNDS = {
  first: { competence: "0.4", revision: "1" },
  second: { competence: "0.8", revision: "2" },
} as const;
type Round = keyof typeof ROUNDS;

let folder: string;
let servers: Readonly<Record<Round, SimulatedServer>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  const [first, second] = await Promise.all(
    (["first", "second"] as const).map((round) =>
      SimulatedServer.start("--competence", ROUNDS[round].competence),
    ),
  );
  servers = { first, second } as Record<Round, SimulatedServer>;
});

afterAll(() => Promise.all(Object.values(servers).map((server) => server.stop())));

/** Runs a round with its checkpoint; `filter` goes over the config's. */
async function run(round: Round, filter: object = {}): Promise<void> {
  const config = samplingConfig(servers[round].baseUrl, {
    name: round,
    config: { filter: { trivial: { minimumN: 4 }, intractable: { minimumN: 4 }, ...filter } },
  }) as { models: { student: object } };
  const student = { ...config.models.student, revision: ROUNDS[round].revision };
  const file = path.join(folder, `${round}.json`);
  writeFileSync(file, JSON.stringify({ ...config, models: { student } }));
  const finished = await runGradus(["run", file, "--runs", path.join(folder, "runs"), "--quiet"], {
    cwd: folder,
  });
  expect(finished.status, finished.stderr).toBe(0);
}

interface Diff {
  readonly movement: readonly {
    readonly before: string;
    readonly after: string;
    readonly questions: number;
  }[];
  readonly moved: readonly { readonly exampleId: string; readonly why: string }[];
}

async function diff(): Promise<Diff> {
  const args = ["curriculum", "diff", "--before", "first", "--after", "second", "--json"];
  const finished = await runGradus(args, { cwd: folder });
  expect(finished.status, finished.stderr).toBe(0);
  return JSON.parse(finished.stdout) as Diff;
}

it("two rounds of a model that learns: what moved is what an independent count says, and nothing is asked twice", async () => {
  await run("first");
  await run("second");
  const [before, after] = (["first", "second"] as const).map((round) =>
    recomputedPlaces(path.join(folder, "runs", round), 4),
  ) as [Map<string, string>, Map<string, string>];
  const counts: Record<string, number> = {};
  for (const [id, place] of before) {
    const key = `${place} -> ${after.get(id)}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  const found = await diff();
  expect(
    Object.fromEntries(found.movement.map((row) => [`${row.before} -> ${row.after}`, row.questions])),
  ).toEqual(counts);
  const moved = [...before].filter(([id, place]) => place !== after.get(id)).map(([id]) => id);
  expect(new Set(found.moved.map(({ exampleId }) => exampleId))).toEqual(new Set(moved));
  const trivial = (places: Map<string, string>): number =>
    [...places.values()].filter((at) => at === "trivial").length;
  expect(trivial(after)).toBeGreaterThan(trivial(before));

  const asked = servers.second.requests().length;
  await run("second");
  await run("second", { trivial: { minimumN: 4, rate: 0.75 } });
  expect(servers.second.requests()).toHaveLength(asked);
  const stricter = await diff();
  expect(stricter.movement).not.toEqual(found.movement);
});
