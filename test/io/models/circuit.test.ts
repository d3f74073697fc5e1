import { describe, expect, it } from "vitest";
import { Circuit } from "../../../io/models/circuit.ts";

const never = new AbortController().signal;
const options = { failures: 2, cooldownMs: 10, giveUpAfterMs: 1_000 };

describe("Circuit", () => {
  it("opens after failures in a row, lets one probe through, and closes when it succeeds", async () => {
    let now = 0;
    const circuit = new Circuit(options, "the server", () => now);
    (await circuit.admit(never)).report("failed");
    (await circuit.admit(never)).report("failed");
    now = 10;
    const probe = await circuit.admit(never);
    let others = 0;
    const waiting = [1, 2].map(() => circuit.admit(never).then(() => (others += 1)));
    await Promise.resolve();
    expect(others).toBe(0);
    probe.report("alive");
    await Promise.all(waiting);
    expect(others).toBe(2);
    expect(circuit.msUntilGivingUp()).toBe(Number.POSITIVE_INFINITY);
  });

  it("does not open when a success comes between, nor because a server is busy", async () => {
    const circuit = new Circuit(options, "the server", () => 0);
    for (const outcome of ["failed", "alive", "failed", "busy", "failed", "busy"] as const) {
      (await circuit.admit(never)).report(outcome);
    }
    (await circuit.admit(never)).report("unknown");
  });

  it("passes the probe on when its caller stops", async () => {
    let now = 0;
    const circuit = new Circuit({ ...options, failures: 1 }, "the server", () => now);
    (await circuit.admit(never)).report("failed");
    now = 10;
    const probe = await circuit.admit(never);
    const next = circuit.admit(never);
    probe.report("unknown");
    (await next).report("alive");
  });

  it("ends waits with MODEL_CIRCUIT_OPEN once nothing succeeded for long, and still probes later", async () => {
    let now = 0;
    const circuit = new Circuit({ ...options, failures: 1 }, "the server", () => now);
    (await circuit.admit(never)).report("failed");
    now = 1_000;
    const probe = await circuit.admit(never);
    await expect(circuit.admit(never)).rejects.toMatchObject({
      code: "MODEL_CIRCUIT_OPEN",
      message: "the server has not answered any request for 1 s",
    });
    probe.report("alive");
    await circuit.admit(never);
  });

  it("counts a busy server as failing when it never takes work", async () => {
    let now = 0;
    const circuit = new Circuit(options, "the server", () => now);
    (await circuit.admit(never)).report("busy");
    now = 600;
    (await circuit.admit(never)).report("busy");
    expect(circuit.msUntilGivingUp()).toBe(400);
  });

  it("stops a waiting caller", async () => {
    const circuit = new Circuit({ ...options, failures: 1 }, "the server", () => 0);
    (await circuit.admit(never)).report("failed");
    const controller = new AbortController();
    const waiting = circuit.admit(controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "INTERRUPTED" });
  });
});
