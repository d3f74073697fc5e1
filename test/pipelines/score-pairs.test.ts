import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Database } from "../../core/database.ts";
import type { InspectRequest } from "../../core/inspector.ts";
import { defineLabel, defineMetric } from "../../core/metric.ts";
import { scored, unscored } from "../../core/verdict.ts";
import { listFolder } from "../../io/files.ts";
import { type ScorePairsRequest, type ScoreTotals, scorePairs } from "../../pipelines/score-pairs.ts";
import { database } from "../curation/sample-rows.ts";
import { executed, FakeJudge } from "../fakes/judge.ts";
import { filesBelow, temporaryFolder } from "../temporary-folder.ts";

const LIMITS = { cpuMs: 1000, maxRows: 10, maxBytes: 1000 };
const exact = defineMetric({
  id: "exact",
  version: 1,
  needs: { rows: true },
  deviations: [],
  judge: () => scored(1),
});
const words = defineLabel({
  id: "words",
  version: 1,
  levels: ["one", "many"],
  label: (sql, schema) =>
    schema.tables.length > 0
      ? { status: "scored", label: sql.includes(" ") ? "many" : "one" }
      : unscored("schema_missing", "no tables"),
});
const SCHEMA = { databaseId: "pets", tables: [{ name: "dogs", comment: "", columns: [] }], foreignKeys: [] };

function judge(): FakeJudge {
  return new FakeJudge({
    golds: { "SELECT 1": executed("ok"), SELECT: executed("error") },
    answers: {
      right: { execution: executed("ok"), verdict: scored(1) },
      wrong: { execution: executed("ok"), verdict: scored(0) },
      refused: { execution: executed("denied", "only reading is allowed"), verdict: scored(0) },
      odd: { execution: executed("ok"), verdict: unscored("gold_error", "gold fails") },
    },
  });
}

interface Scored {
  readonly totals: ScoreTotals;
  readonly lines: string[];
  readonly judge: FakeJudge;
  readonly inspected: InspectRequest[];
  readonly progress: number[];
}

async function score(
  pairs: readonly unknown[],
  more: Partial<ScorePairsRequest> = {},
  statuses: Readonly<Record<string, Partial<Database>>> = {},
): Promise<Scored> {
  const text = pairs.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  const folder = await temporaryFolder({ "pairs.jsonl": text });
  const fake = judge();
  const inspected: InspectRequest[] = [];
  const progress: number[] = [];
  const totals = await scorePairs(
    {
      pairs: path.join(folder, "pairs.jsonl"),
      out: path.join(folder, "out/scored.jsonl"),
      metrics: [exact, words],
      databasePath: (id) => `/data/${id}.sqlite`,
      schemas: new Map(),
      goldLimits: LIMITS,
      predictionLimits: { ...LIMITS, cpuMs: 500 },
      concurrency: 4,
      ...more,
    },
    {
      judge: fake,
      inspector: {
        inspect: (request) => {
          inspected.push(request);
          const schema = request.described ?? { databaseId: request.databaseId, tables: [], foreignKeys: [] };
          return Promise.resolve(database(request.databaseId, { schema, ...statuses[request.databaseId] }));
        },
      },
      progress: (done) => progress.push(done),
    },
  );
  expect(await listFolder(path.join(folder, "out"))).toEqual(["scored.jsonl"]);
  const written = (await filesBelow(path.join(folder, "out")))["scored.jsonl"] ?? "";
  return { totals, lines: written.split("\n").slice(0, -1), judge: fake, inspected, progress };
}

function pair(pred: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { db_id: "pets", gold: "SELECT 1", pred, ...more };
}

const EXPECTED = '; expected text in "db_id" (not empty), "gold" and "pred"';
const BOTH_RAN = '"executions":{"gold":{"status":"ok","message":""},"pred":{"status":"ok","message":""}}';

describe("scorePairs", () => {
  it("gives every line back as it was, with its verdicts, in order", async () => {
    const { lines, totals, progress } = await score(
      [pair("right", { id: 7, nested: { b: [1], a: null } }), pair("odd"), pair("wrong", { id: 9 })],
      { schemas: new Map([["pets", SCHEMA]]) },
    );
    expect(lines).toEqual([
      '{"db_id":"pets","gold":"SELECT 1","pred":"right","id":7,"nested":{"b":[1],"a":null},' +
        `"verdicts":{"exact":{"status":"scored","score":1},"words":{"status":"scored","label":"many"}},${BOTH_RAN}}`,
      '{"db_id":"pets","gold":"SELECT 1","pred":"odd",' +
        `"verdicts":{"exact":{"status":"unscored","reason":"gold_error","message":"gold fails"},"words":{"status":"scored","label":"many"}},${BOTH_RAN}}`,
      '{"db_id":"pets","gold":"SELECT 1","pred":"wrong","id":9,' +
        `"verdicts":{"exact":{"status":"scored","score":0},"words":{"status":"scored","label":"many"}},${BOTH_RAN}}`,
    ]);
    expect(totals).toEqual({
      lines: 3,
      metrics: {
        exact: { scored: 2, sum: 1, labels: {}, unscored: { gold_error: 1 } },
        words: { scored: 3, sum: 0, labels: { many: 3 }, unscored: {} },
      },
      tables: [],
      oddTurns: 0,
    });
    expect(progress).toEqual([1, 2, 3]);
  });

  it("leaves the text of a line alone, and tells of turns that are no places", async () => {
    const { lines, totals } = await score(
      [
        '{ "id": 90071992547409931, "n": 1.0, "db_id": "pets", "gold": "SELECT 1", "pred": "right", "turn": 1 }',
        pair("wrong", { turn: "2" }),
        pair("wrong", { turn: null }),
      ],
      { metrics: [exact] },
    );
    expect(lines[0]).toBe(
      '{ "id": 90071992547409931, "n": 1.0, "db_id": "pets", "gold": "SELECT 1", "pred": "right", "turn": 1,' +
        `"verdicts":{"exact":{"status":"scored","score":1}},${BOTH_RAN}}`,
    );
    expect(totals.oddTurns).toBe(1);
  });

  it("keeps the order however the judge answers, with a bounded number in flight", async () => {
    const pairs = Array.from({ length: 30 }, (_, id) => pair(id % 2 === 0 ? "right" : "wrong", { id }));
    const { lines, judge: fake } = await score(pairs, { metrics: [exact] });
    expect(lines.map((line) => (JSON.parse(line) as { id: number }).id)).toEqual(pairs.map(({ id }) => id));
    expect(fake.mostInFlight).toBe(4);
  });

  it("asks with the limits of each side and looks at each database once", async () => {
    const { judge: fake, inspected } = await score(
      [pair("right"), pair("wrong"), pair("right", { db_id: "cats" })],
      { metrics: [exact], databasePath: (id) => (id === "cats" ? null : "/data/pets.sqlite") },
    );
    expect(fake.requests[0]).toMatchObject({
      gold: ["SELECT 1"],
      predictions: ["right"],
      metrics: ["exact"],
      goldLimits: { cpuMs: 1000 },
      predictionLimits: { cpuMs: 500 },
    });
    expect(inspected).toEqual([
      { databaseId: "pets", path: "/data/pets.sqlite", described: null, valuesPerColumn: 0 },
      { databaseId: "cats", path: null, described: null, valuesPerColumn: 0 },
    ]);
  });

  it("says why a line has no score, and goes on", async () => {
    const {
      lines,
      totals,
      judge: fake,
    } = await score(
      [
        pair("right", { db_id: "gone" }),
        pair("right", { db_id: "broken" }),
        { db_id: "pets", gold: "SELECT 1" },
        pair("right", { gold: null }),
        pair("right", { db_id: "waiting" }),
      ],
      { metrics: [exact] },
      {
        gone: { status: "missing", message: "no file" },
        broken: { status: "corrupt", message: "page 3" },
        waiting: { status: "wal" },
      },
    );
    const verdicts = lines.map(
      (line) => (JSON.parse(line) as { verdicts: Record<string, unknown> }).verdicts["exact"],
    );
    expect(verdicts).toEqual([
      { status: "unscored", reason: "database_missing", message: "no file" },
      { status: "unscored", reason: "database_unreadable", message: "page 3" },
      { status: "unscored", reason: "bad_row", message: `"pred" is missing${EXPECTED}` },
      { status: "unscored", reason: "bad_row", message: `"gold" is null${EXPECTED}` },
      { status: "scored", score: 1 },
    ]);
    expect(lines.map((line) => "executions" in (JSON.parse(line) as object))).toEqual([
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(totals.metrics["exact"]).toEqual({
      scored: 1,
      sum: 1,
      labels: {},
      unscored: { database_missing: 1, database_unreadable: 1, bad_row: 2 },
    });
    expect(fake.requests).toHaveLength(3);
  });

  it("gives the official score where the gold fails and the official evaluator gives one", async () => {
    const official = defineMetric({ ...exact, officialWhenGoldFails: 0 });
    const unrunnable = { db_id: "pets", gold: "SELECT", pred: "right" };
    const verdictsOf = async (metric: typeof exact): Promise<unknown> => {
      const { lines } = await score([unrunnable], { metrics: [metric] });
      return (JSON.parse(lines[0] ?? "") as { verdicts: Record<string, unknown> }).verdicts["exact"];
    };
    expect(await verdictsOf(official)).toEqual({ status: "scored", score: 0 });
    expect(await verdictsOf(exact)).toMatchObject({ status: "unscored", reason: "gold_error" });
  });

  it("says how gold and prediction ended, and nothing where only labels are asked for", async () => {
    const { lines } = await score([{ db_id: "pets", gold: "SELECT", pred: "refused" }], { metrics: [exact] });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      executions: {
        gold: { status: "error", message: "" },
        pred: { status: "denied", message: "only reading is allowed" },
      },
    });
    const labelled = await score([pair("right")], { metrics: [words] });
    expect(JSON.parse(labelled.lines[0] ?? "")).not.toHaveProperty("executions");
  });

  it("labels golds without running anything", async () => {
    const { totals, judge: fake } = await score(
      [pair("right", { gold: "SELECT" }), pair("right", { db_id: "cats" })],
      {
        metrics: [words],
        schemas: new Map([["pets", SCHEMA]]),
      },
    );
    expect(totals.metrics["words"]).toEqual({
      scored: 1,
      sum: 0,
      labels: { one: 1 },
      unscored: { schema_missing: 1 },
    });
    expect(fake.requests).toEqual([]);
  });

  it("adds lines up to the tables whose levels they have, and labels by the published difficulty", async () => {
    const published = defineLabel({
      ...words,
      id: "published",
      label: (_sql, _schema, difficulty) => ({ status: "scored", label: String(difficulty) }),
    });
    const { totals, lines } = await score(
      [
        pair("right", { difficulty: "simple" }),
        pair("wrong", { difficulty: "simple" }),
        pair("right", { difficulty: "moderate", turn: 0 }),
        pair("right"),
      ],
      { metrics: [exact, published] },
    );
    expect(totals.metrics["published"]?.labels).toEqual({ simple: 2, moderate: 1, null: 1 });
    expect(lines[0]).toContain('"published":{"status":"scored","label":"simple"}');
    expect(totals.tables.map(({ by }) => by)).toEqual(["difficulty", "turn"]);
    expect(totals.tables[0]).toEqual({
      by: "difficulty",
      unleveled: 1,
      columns: [
        { name: "simple", count: 2, metrics: { exact: { scored: 2, mean: 0.5 } } },
        { name: "moderate", count: 1, metrics: { exact: { scored: 1, mean: 1 } } },
        { name: "challenging", count: 0, metrics: {} },
        { name: "total", count: 4, metrics: { exact: { scored: 4, mean: 0.75 } } },
      ],
    });
  });

  it("asks for times where a metric measures them, as often as the official evaluator unless told", async () => {
    const measured = defineMetric({ ...exact, needs: { rows: true, timings: true } });
    const roundsOf = async (more: Partial<ScorePairsRequest>): Promise<unknown> =>
      (await score([pair("right")], more)).judge.requests[0]?.timingRounds;
    expect(await roundsOf({ metrics: [measured] })).toBe(100);
    expect(await roundsOf({ metrics: [measured], timingRounds: 7 })).toBe(7);
    expect(await roundsOf({ metrics: [exact], timingRounds: 7 })).toBeUndefined();
  });

  it("passes over blank lines and takes an empty file", async () => {
    expect((await score(["", JSON.stringify(pair("right")), "  "], { metrics: [exact] })).totals.lines).toBe(
      1,
    );
    expect((await score([])).lines).toEqual([]);
  });
});

async function failing(
  text: string,
  makeOut: (folder: string) => string,
): Promise<{ thrown: unknown; left: string[] }> {
  const folder = await temporaryFolder({ "pairs.jsonl": text });
  const thrown: unknown = await scorePairs(
    {
      pairs: path.join(folder, "pairs.jsonl"),
      out: makeOut(folder),
      metrics: [exact],
      databasePath: () => null,
      schemas: new Map(),
      goldLimits: LIMITS,
      predictionLimits: LIMITS,
      concurrency: 2,
    },
    {
      judge: judge(),
      inspector: { inspect: ({ databaseId }) => Promise.resolve(database(databaseId)) },
      progress: () => undefined,
    },
  ).catch((error: unknown) => error);
  return { thrown, left: (await listFolder(folder)).filter((name) => name !== "pairs.jsonl") };
}

function out(folder: string): string {
  return path.join(folder, "scored.jsonl");
}

describe("a file of pairs that cannot be read", () => {
  const good = JSON.stringify(pair("right"));

  it.each([
    ["cut off", `${good}\n{"db_id":`, "JSONL_MALFORMED"],
    ["not of objects", `${good}\n[1]\n${good}`, "SCORE_LINE_MALFORMED"],
  ])("leaves no output when it is %s", async (_, text, code) => {
    const { thrown, left } = await failing(text, out);
    expect(thrown).toMatchObject({ code, site: { line: 2 } });
    expect(left).toEqual([]);
  });

  it("leaves no output when the place of the output is taken", async () => {
    const { thrown, left } = await failing(good, (folder) => {
      mkdirSync(path.join(folder, "taken/inside"), { recursive: true });
      return path.join(folder, "taken");
    });
    expect(thrown).toMatchObject({ code: "FILE_FAILED" });
    expect(left).toEqual(["taken"]);
  });
});
