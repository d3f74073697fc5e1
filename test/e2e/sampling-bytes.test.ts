import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FAULT_KINDS } from "../../pipelines/serve/faults.ts";
import { SamplingWorkspace, SimulatedServer, summaryOf } from "./sampling-run.ts";

const UNEVEN = ["--delay-spread", "30"];
/** Failures that a client gets over by asking again: all but another model's completion. */
const PASSING_FAULTS = FAULT_KINDS.filter((kind) => kind !== "changed_model");

let server: SimulatedServer;
let first: SamplingWorkspace;
let funnel: unknown;
let asked: readonly string[];

beforeAll(async () => {
  server = await SimulatedServer.start(...UNEVEN);
  first = await SamplingWorkspace.make(server.baseUrl, { concurrency: 1 });
  funnel = summaryOf(await first.complete()).funnel;
  asked = server.requests().map(({ requestHash }) => requestHash);
});

afterAll(() => server.stop());

describe("the bytes of the shards", () => {
  it("come from requests that were each made once", () => {
    expect(Object.keys(first.shards())).toHaveLength(16);
    expect(asked.length).toBeGreaterThan(150);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it.each([8, 64])(
    "are the same with %i episodes in flight, and the replies out of order",
    async (concurrency) => {
      const before = server.requests().length;
      const workspace = await SamplingWorkspace.make(server.baseUrl, { concurrency });
      await workspace.complete();
      const now = server.requests().map(({ requestHash }) => requestHash);
      expect(workspace.shards()).toEqual(first.shards());
      expect(now.slice(before).sort()).toEqual([...asked].sort());
      expect(now.slice(before)).not.toEqual(asked);
    },
  );

  it("are the same again without asking for anything", async () => {
    const shards = first.shards();
    const before = server.requests().length;
    const again = await first.complete();
    expect(new Set(summaryOf(again).steps.map(({ status }) => status))).toEqual(new Set(["reused"]));
    expect(server.requests()).toHaveLength(before);
    expect(first.shards()).toEqual(shards);
  });
});

describe("a server that fails a tenth of its requests in every way", () => {
  it("is asked again until the same shards and funnel are there", async () => {
    const faulty = await SimulatedServer.start("--faults", "0.1", "--fault-kinds", PASSING_FAULTS.join(","));
    try {
      const client = { requestTimeoutMs: 700 };
      const workspace = await SamplingWorkspace.make(faulty.baseUrl, { client });
      const finished = await workspace.complete();
      expect(summaryOf(finished).funnel).toEqual(funnel);
      expect(workspace.shards()).toEqual(first.shards());
      const faults = faulty.requests().filter(({ fault }) => fault !== null);
      expect(new Set(faults.map(({ fault }) => fault)).size).toBeGreaterThan(PASSING_FAULTS.length / 2);
      expect(faulty.requests().length).toBe(asked.length + faults.length);
    } finally {
      await faulty.stop();
    }
  });
});
