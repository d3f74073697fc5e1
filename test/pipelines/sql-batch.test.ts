import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defineMetric } from "../../core/metric.ts";
import type { RunTimes } from "../../core/metric.ts";
import { scored } from "../../core/verdict.ts";
import { FileFacts } from "../../io/file-facts.ts";
import { ProgressReader, ProgressWriter } from "../../io/worker-progress.ts";
import { SqlBatch } from "../../pipelines/sql-batch.ts";
import { rewrittenPlace } from "../../pipelines/sql-protocol.ts";
import type { JudgedGroup } from "../../pipelines/judged-message.ts";
import type { JudgeGroup, JudgeTask } from "../../pipelines/sql-protocol.ts";
import { DatabaseFixture, FERRIES } from "../io/database-fixture.ts";

const LIMITS = { cpuMs: 1000, maxRows: 10, maxBytes: 1000 };

let fixture: DatabaseFixture;
let file: string;

beforeAll(() => {
  fixture = new DatabaseFixture();
  file = fixture.create("ferries.sqlite", FERRIES);
});

afterAll(() => {
  fixture.remove();
});

const sameRows = defineMetric({
  id: "same-rows",
  version: 1,
  needs: { rows: true },
  deviations: [],
  judge: ({ gold, predicted }) => scored(gold.execution.digest === predicted.execution.digest ? 1 : 0),
});

const inDigits = (sql: string): string => sql.replace("ONE", "1").replace("TWO", "2");

/** Reads the words ONE and TWO as numbers. */
const otherWords = defineMetric({
  ...sameRows,
  id: "other-words",
  rewrite: (gold, predicted) => ({
    goldSql: inDigits(gold),
    predictedSql: [inDigits(predicted)],
    omitted: null,
  }),
});

const timed: RunTimes[] = [];

/** Keeps the times that it is given. */
const slowness = defineMetric({
  ...sameRows,
  id: "slowness",
  needs: { rows: true, timings: true },
  judge: ({ time }) => {
    if (time === undefined) return scored(0);
    timed.push(time());
    return scored(1);
  },
});

function group(
  id: number,
  gold: string[],
  predictions: string[],
  more: Partial<JudgeGroup> = {},
): JudgeGroup {
  return {
    id,
    firstUnit: id * 10,
    schemaKey: "ferries",
    gold,
    predictions,
    metrics: ["same-rows"],
    goldLimits: LIMITS,
    predictionLimits: LIMITS,
    known: [],
    ...more,
  };
}

/** Judges groups; also says how many statements ran. */
function judge(
  groups: JudgeGroup[],
  databasePath: string | null = file,
): { judged: JudgedGroup[]; runs: number } {
  const progressPath = path.join(fixture.folder, "progress");
  const reader = new ProgressReader(progressPath);
  const task: JudgeTask = {
    kind: "judge",
    path: databasePath,
    morePaths: [],
    schemas: {},
    forgetSchemas: false,
    groups,
    sparing: false,
  };
  const batch = new SqlBatch(task, {
    progress: new ProgressWriter(progressPath),
    metrics: new Map([sameRows, otherWords, slowness].map((metric) => [metric.id, metric])),
    schemas: new Map([["ferries", { databaseId: "ferries", tables: [], foreignKeys: [] }]]),
    factsOf: () => new FileFacts(),
    outOfMemory: () => {
      throw new Error("out of memory");
    },
  });
  const judged = groups.map((one) => batch.judge(one));
  batch.close();
  const runs = reader.read()?.sequence ?? 0;
  reader.close();
  return { judged, runs };
}

describe("SqlBatch", () => {
  it("runs each distinct statement of its groups once", () => {
    const { judged, runs } = judge([
      group(0, ["SELECT 1"], ["SELECT 1", "SELECT 2"]),
      group(1, ["SELECT 2"], ["SELECT 1", "SELECT 1.0"]),
    ]);
    expect(runs).toBe(3);
    expect(judged.map(({ answers }) => answers.map(({ verdicts }) => verdicts["same-rows"]))).toEqual([
      [scored(1), scored(0)],
      [scored(0), scored(0)],
    ]);
    expect(judged[1]?.answers[0]?.execution).toEqual(judged[0]?.gold[0]);
  });

  it("runs a statement again under other limits", () => {
    const small = { ...LIMITS, maxRows: 2 };
    const query = "SELECT id FROM ferry";
    const { judged, runs } = judge([
      group(0, [query], ["SELECT 1"], { goldLimits: small }),
      group(1, [query], []),
    ]);
    expect(runs).toBe(3);
    expect(judged.map(({ gold }) => gold[0]?.status)).toEqual(["too_large", "ok"]);
  });

  it("does not run what is known to end badly", () => {
    const known = [{ statement: 1, status: "timeout", message: "too long" } as const];
    const { judged, runs } = judge([group(0, ["SELECT 1"], ["SELECT 2", "SELECT 1.0"], { known })]);
    expect(runs).toBe(2);
    expect(judged[0]?.answers.map(({ execution }) => execution.status)).toEqual(["timeout", "ok"]);
    expect(judged[0]?.answers.map(({ verdicts }) => verdicts["same-rows"])).toEqual([scored(0), scored(1)]);
  });

  it("runs a rewritten statement once, and not where a published one has its text", () => {
    const metrics = ["other-words"];
    const { judged, runs } = judge([
      group(0, ["SELECT ONE"], ["SELECT 1", "SELECT 1.0", "SELECT TWO", "SELECT ONE"], { metrics }),
      group(1, ["SELECT 2"], ["SELECT TWO", "SELECT 1"], { metrics }),
    ]);
    // ONE, 1, 1.0, TWO and, for TWO, 2.
    expect(runs).toBe(5);
    expect(judged.map(({ answers }) => answers.map(({ verdicts }) => verdicts["other-words"]))).toEqual([
      [scored(1), scored(1), scored(0), scored(1)],
      [scored(1), scored(0)],
    ]);
  });

  it("does not run a rewritten statement that is known to end badly", () => {
    const statement = rewrittenPlace(1, "prediction");
    const known = [{ statement, status: "timeout", message: "too long" } as const];
    const metrics = ["other-words"];
    const { judged } = judge([group(0, ["SELECT ONE"], ["SELECT ONE AND 1"], { known, metrics })]);
    expect(judged[0]?.answers[0]).toMatchObject({
      execution: { status: "error" },
      verdicts: { "other-words": scored(0) },
    });
    const free = judge([group(0, ["SELECT ONE"], ["SELECT ONE AND 1"], { metrics })]);
    expect(free.judged[0]?.answers[0]?.verdicts["other-words"]).toEqual(scored(1));
  });

  it("times both statements in each round, as new runs", () => {
    timed.length = 0;
    const metrics = ["slowness"];
    const predictions = ["SELECT 2", "SELECT id FROM ferry", "-- nothing"];
    const { judged, runs } = judge([group(0, ["SELECT 1"], predictions, { metrics, timingRounds: 3 })]);
    expect(judged[0]?.answers.map(({ verdicts }) => verdicts["slowness"])).toEqual([
      scored(1),
      scored(1),
      scored(1),
    ]);
    expect(timed.map(({ gold, predicted }) => [gold.length, predicted.length])).toEqual([
      [3, 3],
      [3, 3],
      [3, 3],
    ]);
    for (const { gold, predicted } of timed) {
      for (const milliseconds of [...gold, ...predicted]) expect(milliseconds).toBeGreaterThan(0);
    }
    // Gold and three predictions; then, for each of these, six timed runs and the end of timing.
    expect(runs).toBe(4 + 3 * 7);
    const untimed = judge([group(0, ["SELECT 1"], ["SELECT 2"], { metrics })]);
    expect(untimed.judged[0]?.answers[0]?.verdicts["slowness"]).toEqual(scored(0));
  });

  it.each([
    [null, "database_missing"],
    ["/nowhere/at/all.sqlite", "database_unreadable"],
  ])("has no verdict for a database at %s", (databasePath, reason) => {
    const { judged } = judge([group(0, ["SELECT 1"], ["SELECT 1"])], databasePath);
    expect(judged[0]?.answers[0]?.verdicts["same-rows"]).toMatchObject({ status: "unscored", reason });
  });
});
