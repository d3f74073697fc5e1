import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { WorkerProcess } from "../../io/worker-process.ts";
import type { WorkerTask } from "../../io/worker-process.ts";
import { DatabaseFixture } from "./database-fixture.ts";

const fixture = new DatabaseFixture();

afterAll(() => {
  fixture.remove();
});

function start(): WorkerProcess {
  return new WorkerProcess({
    workerPath: path.join(import.meta.dirname, "worker-fixture.mjs"),
    progressPath: path.join(fixture.folder, "progress"),
    temporaryFolder: fixture.folder,
    limits: { memoryBytes: 2 ** 30, fileBytes: 2 ** 30 },
    wallGraceMs: 60_000,
  });
}

function task(actions: string[], parts: unknown[] = []): WorkerTask {
  return {
    body: () => actions,
    fresh: false,
    limitMs: () => 60_000,
    onPart: (part) => parts.push(part),
    onEnd: () => undefined,
  };
}

it("does one task after the other until it is stopped", async () => {
  const worker = start();
  const parts: unknown[] = [];
  expect(await worker.execute(task(["pid"], parts))).toEqual({ status: "done" });
  expect(await worker.execute(task(["pid"], parts))).toEqual({ status: "done" });
  expect(parts).toEqual([worker.pid, worker.pid]);
  expect(worker.tasks).toBe(2);
  await worker.stop();
  expect(worker.isDead).toBe(true);
  expect(existsSync(path.join(fixture.folder, "progress"))).toBe(false);
  expect(await worker.execute(task(["pid"]))).toMatchObject({ status: "killed", mark: null });
});

it("ends the task that runs when it is stopped", async () => {
  const worker = start();
  const running = worker.execute(task(["sleep"]));
  await worker.stop();
  expect(await running).toMatchObject({ status: "killed", cause: "closed" });
});
