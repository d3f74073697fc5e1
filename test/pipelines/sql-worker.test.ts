import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import type { SqlTask } from "../../pipelines/sql-protocol.ts";
import { DatabaseFixture, FERRIES } from "../io/database-fixture.ts";

const WORKER = path.join(import.meta.dirname, "../../dist/pipelines/sql-worker.js");
const LIMITS = { cpuMs: 1000, maxRows: 10, maxBytes: 1000 };
const fixture = new DatabaseFixture();

afterAll(() => {
  fixture.remove();
});

it("does the tasks of the protocol, next to the rows", async () => {
  const file = fixture.create("ferries.sqlite", FERRIES);
  const worker = fork(WORKER, [path.join(fixture.folder, "progress")]);
  const messages: unknown[] = [];
  worker.on("message", (message) => messages.push(message));
  const until = async (count: number): Promise<void> => {
    while (messages.length < count) await once(worker, "message");
  };
  const judge = (metric: string): SqlTask => ({
    kind: "judge",
    path: file,
    schemas: { x: { databaseId: "ferries", tables: [], foreignKeys: [] } },
    morePaths: [],
    forgetSchemas: false,
    sparing: false,
    groups: [
      {
        id: 5,
        firstUnit: 0,
        schemaKey: "x",
        gold: ["SELECT 9223372036854775807"],
        predictions: ["SELECT 9223372036854775807.0"],
        metrics: [metric],
        goldLimits: LIMITS,
        predictionLimits: LIMITS,
        known: [],
      },
    ],
  });
  await until(1);
  worker.send({ task: 1, body: judge("bird-ex") });
  await until(3);
  worker.send({ task: 2, body: judge("../bird-ex") });
  await until(4);
  const request = { databaseId: "ferries", path: file, described: null, valuesPerColumn: 0 };
  worker.send({ task: 3, body: { kind: "inspect", request, copyPath: null } satisfies SqlTask });
  await until(6);
  worker.disconnect();
  await once(worker, "exit");

  expect(messages).toMatchObject([
    { ready: true },
    {
      task: 1,
      part: {
        kind: "judged",
        groups: [
          {
            id: 5,
            gold: [{ status: "ok", rows: 1 }],
            executions: [{ status: "ok" }],
            verdicts: [{ "bird-ex": { status: "scored", score: 0 } }],
            places: [0, 0],
          },
        ],
      },
    },
    { task: 1, done: true },
    { task: 2, failed: { code: "PLUG_UNKNOWN" } },
    { task: 3, part: { kind: "inspected", database: { status: "ok", rowCounts: [3, 3, 7] } } },
    { task: 3, done: true },
  ]);
});
