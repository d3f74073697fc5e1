import { describe, expect, it } from "vitest";
import { interruption, sleep, throwIfInterrupted, WaitQueue } from "../../../io/models/interruption.ts";

describe("sleep", () => {
  it("resolves, or throws INTERRUPTED when stopped before or during the wait", async () => {
    await sleep(1, new AbortController().signal);
    await expect(sleep(60_000, AbortSignal.abort())).rejects.toMatchObject({ code: "INTERRUPTED" });
    const controller = new AbortController();
    const sleeping = sleep(60_000, controller.signal);
    controller.abort();
    await expect(sleeping).rejects.toMatchObject({ code: "INTERRUPTED" });
  });
});

describe("throwIfInterrupted", () => {
  it("throws the interruption only after the signal", () => {
    expect(() => throwIfInterrupted(new AbortController().signal)).not.toThrow();
    expect(() => throwIfInterrupted(AbortSignal.abort())).toThrow(interruption().message);
  });
});

describe("WaitQueue", () => {
  it("wakes in the order of coming and passes over those that were stopped", async () => {
    const queue = new WaitQueue();
    const controller = new AbortController();
    const order: string[] = [];
    const first = queue.wait(new AbortController().signal).then(() => order.push("first"));
    const second = queue.wait(controller.signal).catch(() => order.push("second stopped"));
    const third = queue.wait(new AbortController().signal).then(() => order.push("third"));
    controller.abort();
    await second;
    expect(queue.size).toBe(2);
    expect(queue.wakeOne()).toBe(true);
    await first;
    queue.wakeAll();
    await third;
    expect(queue.wakeOne()).toBe(false);
    expect(order).toEqual(["second stopped", "first", "third"]);
  });

  it("stops waiting after its longest wait", async () => {
    const queue = new WaitQueue();
    await queue.wait(new AbortController().signal, 1);
    expect(queue.size).toBe(0);
  });
});
