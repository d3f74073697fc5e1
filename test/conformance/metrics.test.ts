import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { DatabaseSchema } from "../../core/database.ts";
import { type Cell, type ExecutionStatus, InvalidText, type ResultTable } from "../../core/execution.ts";
import { keyOf } from "../../core/key.ts";
import type { JudgedPair, Label, Metric, RunTimes } from "../../core/metric.ts";
import { LabelVerdict, Verdict } from "../../core/verdict.ts";

const FOLDER = path.resolve(import.meta.dirname, "../../curation/metrics");
const ids = readdirSync(FOLDER)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => path.parse(name).name);
const plugs = await Promise.all(
  ids.map(async (id) => {
    const module = (await import(path.join(FOLDER, `${id}.ts`))) as { default: Metric | Label };
    return { id, plug: module.default };
  }),
);
const metrics = plugs.flatMap(({ id, plug }) => (plug.kind === "metric" ? [{ id, plug }] : []));
const labels = plugs.flatMap(({ id, plug }) => (plug.kind === "label" ? [{ id, plug }] : []));

const column = (name: string) => ({ name, type: "", comment: "", primaryKey: 0 });
const schema: DatabaseSchema = {
  databaseId: "ferries",
  tables: [
    { name: "ferry", comment: "", columns: ["id", "name", "built"].map(column) },
    { name: "crossing", comment: "", columns: ["ferry_id", "day"].map(column) },
  ],
  foreignKeys: [{ table: "crossing", column: "ferry_id", referencedTable: "ferry", referencedColumn: "id" }],
};

function table(rows: readonly (readonly Cell[])[], width: number, status?: ExecutionStatus): ResultTable {
  const digest = keyOf(rows.map((row) => row.map(String))).slice(0, 32);
  return {
    execution: {
      status: status ?? (rows.length === 0 ? "empty" : "ok"),
      message: "",
      rows: rows.length,
      columns: width,
      digest,
      orderedDigest: digest,
    },
    columnNames: Array.from({ length: width }, (_, index) => `column ${index}`),
    rows: status === "too_large" ? [] : rows,
    stream: () => rows,
  };
}

const SQL = "SELECT name FROM ferry";
function pair(gold: ResultTable, predicted: ResultTable): JudgedPair {
  return { goldSql: SQL, predictedSql: SQL, gold, predicted, schema, time: () => EQUALLY_FAST };
}

/** Run times whose mean ratio is 1. */
const EQUALLY_FAST: RunTimes = { gold: [0.75, 1.25], predicted: [1, 1] };

const plain: Readonly<Record<string, ResultTable>> = {
  "one cell": table([[1n]], 1),
  "no rows": table([], 2),
  "only NULLs": table(
    [
      [null, null],
      [null, null],
    ],
    2,
  ),
  "duplicate rows": table(
    [
      ["a", 1n],
      ["a", 1n],
      ["b", 2n],
    ],
    2,
  ),
  "every type": table([[1n, 1.5, "text", new Uint8Array([0, 255]), null]], 5),
  "integers beyond 53 bits": table([[9_223_372_036_854_775_807n], [9_223_372_036_854_775_806n]], 1),
  "reals at the edges": table([[Number.POSITIVE_INFINITY], [Number.NEGATIVE_INFINITY], [-0], [5e-324]], 1),
  "text that looks like other cells": table([["1"], ["null"], [""], ["1.0"], ["a\u0000b"], ["𝄞"]], 1),
};
const odd: Readonly<Record<string, ResultTable>> = {
  ...plain,
  "text that is not UTF-8": table([[new InvalidText(new Uint8Array([255, 254]))]], 1),
  "a result too large to hold": table([[1n], [2n], [3n]], 1, "too_large"),
};

describe("metric plugs", () => {
  it("are there, each a metric or a label named by its file", () => {
    expect(plugs.length).toBeGreaterThan(0);
    for (const { id, plug } of plugs) {
      expect(plug.id).toBe(id);
      expect(["metric", "label"]).toContain(plug.kind);
      expect(Number.isInteger(plug.version) && plug.version > 0).toBe(true);
    }
  });
});

describe.each(metrics)("metric $id", ({ plug }) => {
  it.each(Object.keys(plain))("scores 1 for a gold against itself: %s", (name) => {
    const same = plain[name] as ResultTable;
    expect(plug.judge(pair(same, same))).toMatchObject({ status: "scored", score: 1 });
  });

  it("scores 1 for the same rows in other objects", () => {
    const once = table(
      [
        ["a", null],
        ["b", 2n],
      ],
      2,
    );
    const again = table(
      [
        ["a", null],
        ["b", 2n],
      ],
      2,
    );
    expect(plug.judge(pair(once, again))).toMatchObject({ status: "scored", score: 1 });
  });

  it("gives a valid verdict for any two results, and the same one again", () => {
    for (const gold of Object.values(plain)) {
      for (const predicted of Object.values(odd)) {
        const verdict = plug.judge(pair(gold, predicted));
        expect(Verdict.safeParse(verdict).success).toBe(true);
        if (verdict.status === "scored") expect(Number.isFinite(verdict.score)).toBe(true);
        expect(plug.judge(pair(gold, predicted))).toEqual(verdict);
      }
    }
  });

  it("takes a gold with text that is not UTF-8", () => {
    const gold = odd["text that is not UTF-8"] as ResultTable;
    expect(Verdict.safeParse(plug.judge(pair(gold, gold))).success).toBe(true);
  });

  it("says how it departs from the official evaluator in plain sentences", () => {
    for (const deviation of plug.deviations) expect(deviation.trim()).not.toBe("");
  });
});

const texts = [
  "SELECT name FROM ferry",
  "SELECT name, built FROM ferry WHERE id IN (SELECT ferry_id FROM crossing) ORDER BY built LIMIT 3",
  "",
  " ",
  ";",
  "SELECT",
  "SELECT FROM WHERE",
  "SELECT name FROM nowhere",
  "SELECT 'open FROM ferry",
  'SELECT "ferry',
  "-- only a comment",
  "DROP TABLE ferry",
  "𝄞 \u0000",
  `SELECT name FROM ferry WHERE id IN ${"(SELECT id FROM ferry WHERE id IN ".repeat(2000)}`,
  "(".repeat(5000),
];

describe.each(labels)("label $id", ({ plug }) => {
  it("has levels, each once", () => {
    expect(plug.levels.length).toBeGreaterThan(0);
    expect(new Set(plug.levels).size).toBe(plug.levels.length);
  });

  it.each(texts.map((sql) => [sql.slice(0, 60), sql] as const))(
    "labels or gives a reason: %s",
    (_head, sql) => {
      const verdict = plug.label(sql, schema);
      expect(LabelVerdict.safeParse(verdict).success).toBe(true);
      if (verdict.status === "scored") expect(plug.levels).toContain(verdict.label);
      else expect(verdict.reason).toMatch(/^[a-z][a-z0-9_]*$/u);
      expect(plug.label(sql, schema)).toEqual(verdict);
    },
  );

  it.each([null, "", "simple", "easy", "Simple", "𝄞"])("takes any difficulty: %j", (difficulty) => {
    const verdict = plug.label(SQL, schema, difficulty);
    if (verdict.status === "scored") expect(plug.levels).toContain(verdict.label);
    else expect(verdict.reason).toMatch(/^[a-z][a-z0-9_]*$/u);
  });

  it("works with a schema without tables", () => {
    const empty = { databaseId: "empty", tables: [], foreignKeys: [] };
    for (const sql of texts) expect(LabelVerdict.safeParse(plug.label(sql, empty)).success).toBe(true);
  });
});
