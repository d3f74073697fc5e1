import { expect, it } from "vitest";
import { WorkQueue } from "../../../pipelines/serve/work-queue.ts";

it("does so much at a time, and lets the rest wait in order", async () => {
  const queue = new WorkQueue({ maxInFlight: 2, maxWaiting: 2 });
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const works = [0, 1, 2, 3].map((index) =>
    queue.run(() => {
      begun.push(index);
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  expect(begun).toEqual([0, 1]);
  expect([queue.inFlight, queue.waiting, queue.isFull]).toEqual([2, 2, true]);
  ends[0]?.();
  await works[0];
  expect(begun).toEqual([0, 1, 2]);
  expect(queue.isFull).toBe(false);
  for (let index = 1; index < 4; index += 1) {
    ends[index]?.();
    await works[index];
  }
  expect([queue.inFlight, queue.waiting]).toEqual([0, 0]);
});

it("passes a place on after a failure, thousands of times", async () => {
  const queue = new WorkQueue({ maxInFlight: 1, maxWaiting: 5_000 });
  const works = Array.from({ length: 3_000 }, (_, index) =>
    queue.run(() => (index % 2 === 0 ? Promise.reject(new Error("no")) : Promise.resolve(index))),
  );
  const settled = await Promise.allSettled(works);
  expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1_500);
  expect([queue.inFlight, queue.waiting]).toEqual([0, 0]);
});
