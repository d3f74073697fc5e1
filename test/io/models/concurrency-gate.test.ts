import { describe, expect, it } from "vitest";
import { ConcurrencyGate, type Slot } from "../../../io/models/concurrency-gate.ts";

const never = new AbortController().signal;

async function fill(gate: ConcurrencyGate): Promise<Slot[]> {
  const slots: Slot[] = [];
  for (let index = 0; index < gate.limit; index += 1) slots.push(await gate.acquire(never));
  return slots;
}

describe("ConcurrencyGate", () => {
  it("doubles a round until the first overload, then adds one place a round, up to its most", async () => {
    const gate = new ConcurrencyGate({ min: 1, start: 2, max: 10 });
    const limits: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      const slots = await fill(gate);
      const waiting = [...slots, ...slots].map(() => gate.acquire(never));
      for (const slot of slots) slot.release("succeeded");
      limits.push(gate.limit);
      for (const slot of await Promise.all(waiting)) slot.release("other");
    }
    expect(limits).toEqual([4, 8]);
    (await gate.acquire(never)).release("overloaded");
    expect(gate.limit).toBe(4);
  });

  it("halves once for all requests that were open, and not below its least", async () => {
    const gate = new ConcurrencyGate({ min: 3, start: 8, max: 8 });
    for (const slot of await fill(gate)) slot.release("overloaded");
    expect(gate.limit).toBe(4);
    for (const slot of await fill(gate)) slot.release("overloaded");
    expect(gate.limit).toBe(3);
  });

  it("does not grow while it is not full", async () => {
    const gate = new ConcurrencyGate({ min: 1, start: 2, max: 8 });
    (await gate.acquire(never)).release("succeeded");
    expect(gate.limit).toBe(2);
  });

  it("after an overload grows by one for a round of successes", async () => {
    const gate = new ConcurrencyGate({ min: 1, start: 4, max: 8 });
    (await gate.acquire(never)).release("overloaded");
    expect(gate.limit).toBe(2);
    const slots = await fill(gate);
    const waiting = [gate.acquire(never), gate.acquire(never)];
    (slots[0] as Slot).release("succeeded");
    expect(gate.limit).toBe(2);
    (slots[1] as Slot).release("succeeded");
    expect(gate.limit).toBe(3);
    for (const slot of await Promise.all(waiting)) slot.release("other");
  });

  it("serves in order and forgets callers that stop", async () => {
    const gate = new ConcurrencyGate({ min: 1, start: 1, max: 1 });
    const held = await gate.acquire(never);
    const controller = new AbortController();
    const stopped = gate.acquire(controller.signal);
    const order: number[] = [];
    const next = [1, 2].map(async (number) => {
      const slot = await gate.acquire(never);
      order.push(number);
      slot.release("succeeded");
    });
    controller.abort();
    await expect(stopped).rejects.toMatchObject({ code: "INTERRUPTED" });
    held.release("other");
    await Promise.all(next);
    expect(order).toEqual([1, 2]);
  });

  it("tells its load, and lets all who wait in over the limit when they are to leave", async () => {
    const gate = new ConcurrencyGate({ min: 1, start: 1, max: 1 });
    const held = await gate.acquire(never);
    const waiting = [gate.acquire(never), gate.acquire(never)];
    expect([gate.open, gate.load]).toEqual([1, 3]);
    gate.dismiss();
    for (const slot of await Promise.all(waiting)) slot.release("other");
    expect([gate.open, gate.load]).toEqual([1, 1]);
    held.release("other");
    expect(gate.load).toBe(0);
  });
});
