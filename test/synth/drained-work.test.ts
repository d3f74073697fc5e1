import { describe, expect, it } from "vitest";
import { GradusError } from "../../core/errors.ts";
import { DrainedWork } from "../../synth/drained-work.ts";

const unavailable = new GradusError("MODEL_UNAVAILABLE", "no answer");
const refused = new GradusError("MODEL_KEY_REFUSED", "no");

/** Work with places for `concurrency`, and the end of its first piece in our hands. */
function started(concurrency: number) {
  const work = new DrainedWork(concurrency, new AbortController().signal);
  let end: (value: string) => void = () => undefined;
  const first = work.run(
    () =>
      new Promise<string>((resolve) => {
        end = resolve;
      }),
  );
  return {
    work,
    first,
    end: (value: string) => {
      end(value);
    },
  };
}

describe("DrainedWork", () => {
  it("goes on after a failure that leaves something open, and counts those that are told of", async () => {
    const work = new DrainedWork(1, new AbortController().signal);
    await expect(work.run(() => Promise.reject(unavailable))).rejects.toBe(unavailable);
    work.fail(unavailable);
    expect(await work.run(() => Promise.resolve("next"))).toBe("next");
    expect(work.open).toEqual({ count: 1, last: unavailable });
    expect(work.signal.aborted).toBe(false);
  });

  it("starts nothing after any other failure, and lets what is on its way end", async () => {
    const { work, first, end } = started(2);
    await Promise.resolve();
    await expect(work.run(() => Promise.reject(refused))).rejects.toBe(refused);
    expect(work.signal.aborted).toBe(true);
    let isStarted = false;
    const late = work.run(async () => {
      isStarted = true;
    });
    end("paid for");
    expect(await first).toBe("paid for");
    await expect(late).rejects.toBe(refused);
    expect(isStarted).toBe(false);
    expect(() => work.throwIfEnded()).toThrow(refused);
  });

  it("drains: what waits is refused, what is on its way is waited for", async () => {
    const { work, first, end } = started(1);
    const waiting = work.run(() => Promise.resolve("never"));
    await Promise.resolve();
    let isDrained = false;
    const drained = work.drain("enough").then(() => {
      isDrained = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDrained).toBe(false);
    end("done");
    await expect(waiting).rejects.toMatchObject({ code: "INTERRUPTED", message: "enough" });
    expect(await first).toBe("done");
    await drained;
    expect(isDrained).toBe(true);
  });

  it("ends what waits to be sent with the signal that it is given", () => {
    const given = new AbortController();
    const work = new DrainedWork(1, given.signal);
    given.abort();
    expect(work.signal.aborted).toBe(true);
  });
});
