import path from "node:path";
import { existsSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { WorkerHost } from "../../io/worker-host.ts";
import type { TaskOutcome, WorkerTask } from "../../io/worker-process.ts";
import { untilGone } from "./process-state.ts";

const WORKER = path.join(import.meta.dirname, "worker-fixture.mjs");

interface Ended {
  readonly outcome: TaskOutcome;
  readonly parts: unknown[];
}

const hosts: WorkerHost[] = [];

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.close()));
});

/** A host of one worker that does the tasks given to `run`, one after the other. */
function startHost(options: { wallGraceMs?: number; workerPath?: string } = {}): {
  host: WorkerHost;
  run: (actions: string[], fresh?: boolean, limitMs?: number) => Promise<Ended>;
} {
  const waiting: WorkerTask[] = [];
  const host = new WorkerHost({ workers: 1, workerPath: WORKER, ...options }, () => waiting.shift() ?? null);
  hosts.push(host);
  return {
    host,
    run: (actions, fresh = false, limitMs = 100) =>
      new Promise((resolve) => {
        const parts: unknown[] = [];
        waiting.push({
          body: () => actions,
          fresh,
          limitMs: () => limitMs,
          onPart: (part) => parts.push(part),
          onEnd: (outcome) => {
            resolve({ outcome, parts });
          },
        });
        host.wake();
      }),
  };
}

describe("WorkerHost", () => {
  it("keeps a process from task to task, and replaces it where a fresh one is asked for", async () => {
    const { run } = startHost();
    const first = await run(["pid"]);
    const second = await run(["pid"]);
    const third = await run(["pid"], true);
    expect(first.outcome).toEqual({ status: "done" });
    expect(second.parts).toEqual(first.parts);
    expect(third.parts).not.toEqual(first.parts);
  });

  it("gives a worker nothing of its own environment but the path", async () => {
    process.env["GRADUS_TEST_SECRET"] = "secret";
    const { parts } = await startHost().run(["environment"]);
    delete process.env["GRADUS_TEST_SECRET"];
    expect(parts[0]).not.toContain("GRADUS_TEST_SECRET");
    expect(parts[0]).toContain("PATH");
  });

  it("kills a process at the unit that is over its CPU limit, and goes on with another", async () => {
    const { run } = startHost();
    const { outcome, parts } = await run(["pid", "none", "spin"]);
    expect(outcome).toMatchObject({ status: "killed", cause: "cpu", mark: { unit: 2, phase: "statement" } });
    await untilGone(parts as number[]);
    const next = await run(["pid"]);
    expect(next.outcome).toEqual({ status: "done" });
    expect(next.parts).not.toEqual(parts);
  });

  it("kills a process that uses no CPU and makes no progress, as stuck", async () => {
    const { outcome } = await startHost({ wallGraceMs: 100 }).run(["sleep"], false, 10);
    expect(outcome).toMatchObject({ status: "killed", cause: "stuck", mark: { unit: 0 } });
  });

  it("tells a process that dies by itself, and where it was", async () => {
    const { outcome } = await startHost().run(["pid", "die"]);
    expect(outcome).toMatchObject({ status: "killed", cause: "crash", mark: { unit: 1 } });
  });

  it("passes on what a task throws", async () => {
    const { outcome } = await startHost().run(["fail"]);
    expect(outcome).toEqual({ status: "failed", code: "SQL_WORKER_FAILED", message: "it failed" });
  });

  it("ends a task whose worker cannot start", async () => {
    const { outcome } = await startHost({ workerPath: "/nowhere/worker.js" }).run(["pid"]);
    expect(outcome).toMatchObject({ status: "killed", cause: "crash", mark: null });
    expect(outcome).toHaveProperty("message", expect.stringContaining("/nowhere/worker.js"));
  });

  it("leaves no process and no folder when it is closed in the middle of a task", async () => {
    const { host, run } = startHost();
    const running = run(["pid", "spin"], false, 60_000);
    while (host.processIds.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const pids = host.processIds;
    await host.close();
    expect((await running).outcome).toMatchObject({ status: "killed", cause: "closed" });
    await untilGone(pids);
    expect(existsSync(host.folder)).toBe(false);
  });
});
