import { describe, expect, it } from "vitest";
import { type Admission, Circuit } from "../../../io/models/circuit.ts";

const options = { failures: 2, cooldownMs: 10, giveUpAfterMs: 1_000, firstAnswerWithinMs: 1_000 };
const alone = { label: "the server", busyOpens: false };

/** A circuit with a clock that the test sets. */
function circuitOf(changes: Partial<typeof options> = {}, server = alone) {
  const time = { now: 0 };
  return { time, circuit: new Circuit({ ...options, ...changes }, server, () => time.now) };
}

function admitted(circuit: Circuit): Admission {
  const admission = circuit.tryAdmit();
  if (admission === null) throw new Error("expected to be admitted");
  return admission;
}

describe("Circuit", () => {
  it("opens after failures in a row, lets one probe through, and closes when it succeeds", () => {
    const { circuit, time } = circuitOf();
    admitted(circuit).report("failed");
    expect([circuit.isClosed, circuit.msUntilAdmission()]).toEqual([true, 0]);
    admitted(circuit).report("failed");
    expect([circuit.isClosed, circuit.msUntilAdmission(), circuit.tryAdmit()]).toEqual([false, 10, null]);
    time.now = 10;
    const probe = admitted(circuit);
    expect([circuit.msUntilAdmission(), circuit.tryAdmit()]).toEqual([Number.POSITIVE_INFINITY, null]);
    probe.report("alive");
    expect([circuit.isClosed, circuit.msUntilGivingUp()]).toEqual([true, Number.POSITIVE_INFINITY]);
    admitted(circuit);
  });

  it("opens at once where the server is known not to answer", () => {
    const { circuit, time } = circuitOf();
    circuit.trip();
    expect([circuit.isClosed, circuit.msUntilAdmission()]).toEqual([false, 10]);
    time.now = 400;
    expect(circuit.msUntilGivingUp()).toBe(600);
    admitted(circuit).report("alive");
    expect(circuit.isClosed).toBe(true);
  });

  it("stays open when the probe fails", () => {
    const { circuit, time } = circuitOf({ failures: 1 });
    admitted(circuit).report("failed");
    time.now = 15;
    admitted(circuit).report("failed");
    expect(circuit.msUntilAdmission()).toBe(10);
  });

  it("does not open when a success comes between, nor because a server is busy", () => {
    const { circuit } = circuitOf();
    for (const outcome of ["failed", "alive", "failed", "busy", "failed", "busy"] as const) {
      admitted(circuit).report(outcome);
    }
    admitted(circuit).report("unknown");
    expect(circuit.isClosed).toBe(true);
  });

  it("opens because a server is busy where another can take the work", () => {
    const { circuit, time } = circuitOf({}, { label: "the server", busyOpens: true });
    for (const outcome of ["busy", "alive", "busy", "busy"] as const) admitted(circuit).report(outcome);
    expect(circuit.isClosed).toBe(false);
    time.now = 10;
    admitted(circuit).report("busy");
    expect(circuit.msUntilAdmission()).toBe(10);
    time.now = 20;
    admitted(circuit).report("alive");
    expect(circuit.isClosed).toBe(true);
  });

  it("passes the probe on when its caller stops", () => {
    const { circuit, time } = circuitOf({ failures: 1 });
    admitted(circuit).report("failed");
    time.now = 10;
    admitted(circuit).report("unknown");
    admitted(circuit).report("alive");
    expect(circuit.isClosed).toBe(true);
  });

  it("is to be given up once nothing succeeded for long, and still probes later", () => {
    const { circuit, time } = circuitOf({ failures: 1 });
    admitted(circuit).report("alive");
    time.now = 500;
    admitted(circuit).report("failed");
    time.now = 1_500;
    expect(circuit.msUntilGivingUp()).toBe(0);
    expect(circuit.failure()).toMatchObject({
      code: "MODEL_CIRCUIT_OPEN",
      message: "the server has not answered any request for 1 s",
    });
    admitted(circuit).report("alive");
    expect(circuit.msUntilGivingUp()).toBe(Number.POSITIVE_INFINITY);
  });

  it("counts a busy server as failing when it never takes work", () => {
    const { circuit, time } = circuitOf();
    admitted(circuit).report("busy");
    time.now = 600;
    admitted(circuit).report("busy");
    expect(circuit.msUntilGivingUp()).toBe(400);
  });

  it("is given up sooner while the server has never answered", () => {
    const { circuit, time } = circuitOf({ firstAnswerWithinMs: 200 });
    admitted(circuit).report("failed");
    time.now = 200;
    expect(circuit.msUntilGivingUp()).toBe(0);
    expect(circuit.failure()).toMatchObject({
      message: "the server has never answered: all requests failed for 0 s",
      hint: expect.stringContaining("circuit.firstAnswerWithinMs"),
    });
  });

  it.each(["alive", "busy"] as const)("takes %s for an answer", (outcome) => {
    const { circuit } = circuitOf({ firstAnswerWithinMs: 200 });
    admitted(circuit).report(outcome);
    admitted(circuit).report("failed");
    expect(circuit.msUntilGivingUp()).toBe(1_000);
  });
});
