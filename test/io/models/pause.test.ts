import { expect, it } from "vitest";
import { Pause } from "../../../io/models/pause.ts";

const never = new AbortController().signal;

it("lasts until the latest end that was asked for", () => {
  let now = 100;
  const pause = new Pause(() => now);
  expect(pause.leftMs).toBe(0);
  pause.extend(50);
  pause.extend(20);
  expect(pause.leftMs).toBe(50);
  now = 151;
  expect(pause.leftMs).toBe(0);
});

it("holds everybody back, and stops waiting when told", async () => {
  const pause = new Pause();
  await pause.wait(never);
  pause.extend(1);
  await pause.wait(never);
  pause.extend(60_000);
  const controller = new AbortController();
  const waiting = pause.wait(controller.signal);
  controller.abort();
  await expect(waiting).rejects.toMatchObject({ code: "INTERRUPTED" });
});
