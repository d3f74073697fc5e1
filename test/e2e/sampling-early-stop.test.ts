import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type SampleSays, settledAfter } from "../../synth/stop-early.ts";
import { describeWithShared } from "../shared-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { PROJECT_ROOT, runGradus } from "./gradus-process.ts";
import { portRows } from "./raw-run.ts";
import { SamplingWorkspace, SimulatedServer } from "./sampling-run.ts";

const SAMPLES = 8;
const RULES = ["mixed", "first_wrong", "first_right"] as const;

function saving(part: number, whole: number): string {
  return `${part} in place of ${whole}, ${((100 * (whole - part)) / whole).toFixed(1)} % saved`;
}

describe("sampling that stops once right and wrong samples are there", () => {
  let server: SimulatedServer;
  let full: SamplingWorkspace;
  let early: SamplingWorkspace;
  let fullRequests: number;

  beforeAll(async () => {
    server = await SimulatedServer.start();
    full = await SamplingWorkspace.make(server.baseUrl, { rollout: { samples: SAMPLES } });
    await full.complete("--until", "filter");
    fullRequests = server.requests().length;
    const rollout = { samples: SAMPLES, stopEarly: "mixed", lookahead: 2 };
    early = await SamplingWorkspace.make(server.baseUrl, { rollout });
    await early.complete("--until", "filter");
  });

  afterAll(() => server.stop());

  it("keeps and drops what full sampling keeps and drops, each for the same reason", () => {
    const decisions = ({ runFolder }: SamplingWorkspace): [unknown, unknown][] => [
      ...portRows(runFolder, "filter", "kept").map((row): [unknown, unknown] => [row["exampleId"], "kept"]),
      ...portRows(runFolder, "filter", "dropped").map((row): [unknown, unknown] => [
        row["exampleId"],
        row["reason"],
      ]),
    ];
    const reasons = decisions(full).map(([, reason]) => reason);
    for (const reason of ["kept", "trivial", "intractable"]) expect(reasons).toContain(reason);
    expect(decisions(early)).toEqual(decisions(full));
  });

  it("asks for less", () => {
    const requests = server.requests().length - fullRequests;
    const count = ({ runFolder }: SamplingWorkspace): number =>
      portRows(runFolder, "sample", "trajectories").length;
    console.log(`mixed, requests: ${saving(requests, fullRequests)}`);
    console.log(`mixed, samples: ${saving(count(early), count(full))}`);
    expect(requests).toBeLessThan(fullRequests * 0.9);
    expect(count(early)).toBeLessThan(count(full) * 0.9);
  });

  it("takes the first samples by index, and says that a group has no rate", () => {
    const groups = portRows(early.runFolder, "sample", "groups");
    const stopped = groups.filter((group) => group["stopRule"] === "mixed");
    expect(stopped.length).toBeGreaterThan(5);
    for (const { exampleId, setting, sampled } of groups) {
      const samples = portRows(early.runFolder, "score", "samples").filter(
        (sample) => sample["exampleId"] === exampleId && sample["setting"] === setting,
      );
      expect(samples.map((sample) => sample["sampleIndex"])).toEqual(
        Array.from({ length: sampled as number }, (_, index) => index),
      );
    }
    for (const { sampled } of stopped) expect(sampled).toBeLessThan(SAMPLES);
  });

  it("is refused by a curriculum that reads rates", async () => {
    const finished = await early.run();
    expect(finished.status).toBe(1);
    expect(finished.stderr).toMatch(/^ORDER_RATE_STOPPED: /m);
  });
});

describeWithShared("ten published systems on Spider dev as ten samples a question", (shared) => {
  it("would have needed fewer samples by each rule, for the same decisions", async () => {
    const folder = await temporaryFolder();
    const config = path.join(PROJECT_ROOT, "configs/spider-dev-replay.yaml");
    const env = { GRADUS_DATA: path.join(shared, "data") };
    const args = ["run", config, "--runs", folder, "--until", "score"];
    const finished = await runGradus(args, { cwd: folder, env });
    expect(finished.status, finished.stderr).toBe(0);
    const says = samplesByQuestion(path.join(folder, "spider-dev-replay"));
    expect(says.size).toBe(972);
    for (const rule of RULES) {
      let taken = 0;
      for (const list of says.values()) {
        const length = settledAfter(list, rule) ?? list.length;
        expect(decision(list.slice(0, length), rule)).toBe(decision(list, rule));
        taken += length;
      }
      console.log(`${rule}, samples: ${saving(taken, 10 * says.size)}`);
      expect(taken).toBeLessThan(10 * says.size);
    }
  });
});

/** What the samples of each question that can be judged say, by sample index. */
function samplesByQuestion(runFolder: string): Map<unknown, SampleSays[]> {
  const says = new Map<unknown, SampleSays[]>();
  const judged = portRows(runFolder, "score", "golds").filter((row) => row["reason"] === "ok");
  for (const { exampleId } of judged) says.set(exampleId, []);
  for (const { exampleId, sampleIndex, verdicts } of portRows(runFolder, "score", "samples")) {
    const verdict = (verdicts as Record<string, { status: string; score?: number }>)["bird-ex"];
    const said = verdict?.score === 1 ? "right" : "wrong";
    const list = says.get(exampleId);
    if (list !== undefined) list[sampleIndex as number] = verdict?.status === "scored" ? said : "nothing";
  }
  return says;
}

/** The question that a rule settles, answered by counting. */
function decision(says: readonly SampleSays[], rule: (typeof RULES)[number]): boolean {
  const isMixed = says.includes("right") && says.includes("wrong");
  if (rule === "mixed") return isMixed;
  return says.includes(rule === "first_wrong" ? "wrong" : "right");
}
