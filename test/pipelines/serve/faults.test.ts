import { describe, expect, it } from "vitest";
import { FAULT_KINDS, FaultPlan, RETRIED_FAULT_KINDS, spoiltReply } from "../../../pipelines/serve/faults.ts";

const HASHES = Array.from({ length: 1000 }, (_, index) => `request ${index}`);

function schedule(seed: number): unknown[] {
  const plan = new FaultPlan({ rate: 0.5, seed });
  return HASHES.flatMap((hash) => [0, 1, 2].map((attempt) => plan.faultOf(hash, attempt)));
}

describe("FaultPlan", () => {
  it("fails the given share of attempts, in each of the kinds that are retried", () => {
    const plan = new FaultPlan({ rate: 0.2 });
    const faults = HASHES.map((hash) => plan.faultOf(hash, 0));
    const failed = faults.filter((kind) => kind !== null);
    expect(failed.length).toBeGreaterThan(150);
    expect(failed.length).toBeLessThan(250);
    expect(new Set(failed)).toEqual(new Set(RETRIED_FAULT_KINDS));
  });

  it("decides by seed, request and attempt", () => {
    expect(schedule(1)).toEqual(schedule(1));
    expect(schedule(1)).not.toEqual(schedule(2));
  });

  it("answers each request in the end", () => {
    const always = new FaultPlan({ rate: 1, kinds: ["server_500"], mostPerRequest: 2 });
    expect([0, 1, 2, 3].map((attempt) => always.faultOf("a", attempt))).toEqual([
      "server_500",
      "server_500",
      null,
      null,
    ]);
    expect(HASHES.every((hash) => new FaultPlan({ rate: 0 }).faultOf(hash, 0) === null)).toBe(true);
  });

  it("refuses a rate that is no share, and no kinds", () => {
    const invalid = expect.objectContaining({ code: "SERVE_FAULTS_INVALID" });
    expect(() => new FaultPlan({ rate: 1.5 })).toThrow(invalid);
    expect(() => new FaultPlan({ rate: Number.NaN })).toThrow(invalid);
    expect(() => new FaultPlan({ rate: 0.5, kinds: [] })).toThrow(invalid);
  });
});

describe("spoiltReply", () => {
  const whole = { model: "m", choices: [{ message: { content: "SELECT 1" } }] };

  it("spoils each kind in its way", () => {
    expect(spoiltReply("error_200", whole, 2)).toMatchObject({ status: 200, headers: {} });
    expect(JSON.parse(spoiltReply("error_200", whole, 2).body)).toHaveProperty("error.message");
    expect(spoiltReply("rate_limit_429", whole, 2)).toMatchObject({
      status: 429,
      headers: { "retry-after": "2" },
    });
    expect(spoiltReply("server_500", whole, 2).status).toBe(500);
    expect(spoiltReply("empty_reply", whole, 2).body).toContain('"content":""');
    expect(spoiltReply("half_json", whole, 2)).toMatchObject({
      status: 200,
      body: '{"model":"m","choices":[{"mess',
    });
    expect(JSON.parse(spoiltReply("changed_model", whole, 2).body)).toEqual({
      ...whole,
      model: "another-model",
    });
  });

  it("leaves no kind out", () => {
    const withoutBody = ["connection_reset", "hang", "cut_body"];
    expect(FAULT_KINDS.filter((kind) => !withoutBody.includes(kind))).toHaveLength(6);
    expect(RETRIED_FAULT_KINDS).toHaveLength(7);
  });
});
