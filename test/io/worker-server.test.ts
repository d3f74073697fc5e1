import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { DatabaseFixture } from "./database-fixture.ts";

const fixture = new DatabaseFixture();

afterAll(() => {
  fixture.remove();
});

it("serves tasks to its parent and ends when that lets go", async () => {
  const worker = fork(path.join(import.meta.dirname, "worker-fixture.mjs"), [
    path.join(fixture.folder, "progress"),
  ]);
  const messages: unknown[] = [];
  worker.on("message", (message) => messages.push(message));
  const until = async (count: number): Promise<void> => {
    while (messages.length < count) await once(worker, "message");
  };
  await until(1);
  worker.send({ task: 1, body: ["pid"] });
  await until(3);
  worker.send({ task: 2, body: ["fail"] });
  await until(4);
  expect(messages).toEqual([
    { ready: true },
    { task: 1, part: worker.pid },
    { task: 1, done: true },
    { task: 2, failed: { code: "SQL_WORKER_FAILED", message: "it failed" } },
  ]);
  worker.disconnect();
  expect(await once(worker, "exit")).toEqual([0, null]);
});
