import { readFile } from "node:fs/promises";
import path from "node:path";
import SqliteDatabase from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../core/database.ts";
import { databaseLocator } from "../../io/locate-database.ts";
import { gradeGolds } from "../../pipelines/grade-golds.ts";
import type { GradingReport } from "../../pipelines/grade-golds.ts";
import { createSqlJudge } from "../../pipelines/sql-judge.ts";
import type { SqlJudge } from "../../pipelines/sql-judge.ts";
import { describeWithShared } from "../shared-folder.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const LIMITS = { cpuMs: 20_000, maxRows: 1_000_000, maxBytes: 256 * 1024 * 1024 };

/** Riders: Bea and Cal share the second time, Dan has none, horses' heights are text; two live in Ulm. */
const RACE = `
  CREATE TABLE rider (id INTEGER PRIMARY KEY, name TEXT, town TEXT, seconds INTEGER);
  CREATE TABLE horse (id INTEGER PRIMARY KEY, name TEXT, height TEXT, born TEXT);
  INSERT INTO rider VALUES (1, 'Ann', 'Ulm', 50), (2, 'Bea', 'Ulm', 52), (3, 'Cal', 'Bonn', 52), (4, 'Dan', 'Jena', NULL);
  INSERT INTO horse VALUES (1, 'Ace', '98', '2012-01-09'), (2, 'Bay', '150', '2012-01-10'), (3, 'Coe', 'null', '2013-05-01');
`;

async function gradeRace(statements: readonly string[]): Promise<GradingReport> {
  const folder = await temporaryFolder({ "race/note.txt": "" });
  const database = new SqliteDatabase(path.join(folder, "race", "race.sqlite"));
  database.exec(RACE);
  database.close();
  const golds = statements.map((sql, index) => ({ sourceId: String(index), databaseId: "race", sql }));
  return gradeIn([folder], golds);
}

async function gradeIn(
  folders: readonly string[],
  golds: readonly { readonly sourceId: string; readonly databaseId: string; readonly sql: string }[],
): Promise<GradingReport> {
  const locate = databaseLocator(folders);
  const judge = createSqlJudge({ workers: 2, databasePath: locate });
  try {
    const databases = await inspected(
      judge,
      locate,
      golds.map(({ databaseId }) => databaseId),
    );
    return await gradeGolds({
      golds,
      databases,
      runner: judge,
      limits: LIMITS,
      concurrency: 16,
      progress: () => undefined,
    });
  } finally {
    await judge.close();
  }
}

async function inspected(
  judge: SqlJudge,
  locate: (databaseId: string) => string | null,
  ids: readonly string[],
): Promise<Map<string, Database>> {
  const databases = new Map<string, Database>();
  for (const databaseId of new Set(ids)) {
    const request = { databaseId, path: locate(databaseId), described: null, valuesPerColumn: 0 };
    databases.set(databaseId, await judge.inspect(request));
  }
  return databases;
}

/** Statement, mode (with k in subset), kinds of findings. */
const GRADED: readonly (readonly [string, string, ...string[]])[] = [
  ["SELECT name FROM rider", "multiset"],
  ["SELECT DISTINCT town FROM rider", "set"],
  ["SELECT town, count(*) FROM rider GROUP BY town", "set"],
  ["SELECT name FROM rider ORDER BY seconds DESC", "ordered"],
  ["SELECT name FROM rider WHERE seconds > 0 ORDER BY seconds LIMIT 1", "ordered"],
  ["SELECT name FROM rider WHERE seconds > 0 ORDER BY seconds LIMIT 2", "subset 2", "limit_tie"],
  ["SELECT name FROM rider ORDER BY seconds DESC LIMIT 1", "subset 1", "limit_tie"],
  ["SELECT seconds FROM rider ORDER BY seconds DESC LIMIT 1", "ordered"],
  ["SELECT town FROM rider GROUP BY town ORDER BY count(*) DESC LIMIT 1", "ordered"],
  ["SELECT town FROM rider GROUP BY town ORDER BY count(*) LIMIT 1", "subset 1", "limit_tie"],
  ["SELECT name FROM rider WHERE seconds > 0 ORDER BY seconds LIMIT 1 OFFSET 2", "subset 1", "limit_tie"],
  ["SELECT name FROM rider ORDER BY seconds LIMIT 1", "ordered", "null_first"],
  ["SELECT name FROM rider ORDER BY seconds NULLS LAST LIMIT 1", "ordered"],
  ["SELECT name FROM rider LIMIT 2", "subset 2", "limit_without_order", "row_order"],
  ["SELECT name FROM rider LIMIT 9", "multiset"],
  ["SELECT DISTINCT town FROM rider ORDER BY seconds LIMIT 1", "ordered", "limit_unknown"],
  [
    "SELECT name FROM rider WHERE id = (SELECT id FROM rider ORDER BY seconds DESC LIMIT 1)",
    "multiset",
    "subquery_limit",
  ],
  ["SELECT max(height) FROM horse", "multiset", "numeric_text"],
  ["SELECT name FROM horse ORDER BY height", "ordered", "numeric_text"],
  ["SELECT name FROM horse WHERE height > 100", "multiset", "numeric_text"],
  ["SELECT name FROM horse ORDER BY CAST(height AS INTEGER) DESC", "ordered"],
  ["SELECT max(born) FROM horse", "multiset"],
  ["SELECT name FROM horse WHERE born < date('now')", "multiset", "clock"],
  ["SELECT name FROM rider ORDER BY random() LIMIT 1", "ordered", "limit_unknown", "random"],
  ["SELECT name, count(*) FROM rider GROUP BY town", "multiset", "bare_column"],
  ["SELECT name, count(*) FROM rider GROUP BY id", "multiset"],
  ["SELECT name, min(seconds) FROM rider", "multiset"],
  ["SELECT name, max(seconds) FROM rider", "multiset", "bare_column"],
  ["SELECT group_concat(name) FROM rider", "multiset", "row_order"],
];

describe("gradeGolds", () => {
  it("finds the mode of each gold and why data do not determine it", async () => {
    const report = await gradeRace(GRADED.map(([sql]) => sql));
    const open = GRADED.flatMap(([sql, mode, ...kinds]) =>
      kinds.length === 0 ? [] : [[sql, mode, ...kinds]],
    );
    const found = report.undetermined.map(({ sourceId, mode, k, findings }) => [
      GRADED[Number(sourceId)]?.[0],
      k === undefined ? mode : `${mode} ${k}`,
      ...findings.map(({ kind }) => kind),
    ]);
    expect(found).toEqual(open);
    expect(report.graded).toBe(GRADED.length);
    expect(report.stable).toBe(13);
    expect(report.modes).toEqual({ multiset: 12, ordered: 10, set: 2, subset: 5 });
    expect(report.findings.slice(0, 3)).toEqual([
      { kind: "limit_tie", golds: 4 },
      { kind: "numeric_text", golds: 3 },
      { kind: "bare_column", golds: 2 },
    ]);
  });

  it("leaves out golds that do not run", async () => {
    const report = await gradeRace(["SELECT nothing FROM nowhere", "SELECT name FROM rider"]);
    expect(report).toMatchObject({ graded: 1, stable: 1, undetermined: [] });
  });
});

describeWithShared("golds of published datasets", (folder) => {
  let spider: GradingReport;
  let bird: GradingReport;

  beforeAll(async () => {
    const root = path.join(folder, "data/spider");
    const rows = JSON.parse(await readFile(path.join(root, "dev.json"), "utf8")) as {
      db_id: string;
      query: string;
    }[];
    spider = await gradeIn(
      [path.join(root, "database")],
      rows.map(({ db_id, query }, index) => ({ sourceId: String(index), databaseId: db_id, sql: query })),
    );
    const lines = (await readFile(path.join(folder, "vectors/ex_bird.jsonl"), "utf8")).trim().split("\n");
    const unstable = lines
      .map((line) => JSON.parse(line) as { db_id: string; gold: string; unstable: boolean })
      .filter((line) => line.unstable);
    bird = await gradeIn(
      [path.join(folder, "data/bird/dev/dev_databases")],
      unstable.map(({ db_id, gold }, index) => ({ sourceId: String(index), databaseId: db_id, sql: gold })),
    );
  }, 120_000);

  afterAll(() => {
    const { undetermined: _, ...figures } = spider;
    console.log(`Spider dev: ${JSON.stringify(figures)}`);
  });

  it("are counted by mode in Spider dev", () => {
    expect(spider.graded).toBe(972);
    expect(spider.stable).toBe(914);
    expect(spider.modes).toEqual({ multiset: 531, ordered: 167, set: 232, subset: 42 });
  });

  it("are flagged where Python found other rows with the same tables stored in other orders", () => {
    const changing = [95, 96, 133, 134, 159, 160, 165, 166, 641, 642, 788, 789, 804, 805, 816, 817];
    const flagged = new Set(spider.undetermined.map(({ sourceId }) => Number(sourceId)));
    expect(changing.filter((index) => !flagged.has(index))).toEqual([]);
  });

  it("are flagged where official verdicts were found to change with the order of rows", () => {
    expect(bird.undetermined.map(({ sourceId, mode, k }) => [sourceId, mode, k])).toEqual([
      ["0", "subset", 1],
      ["1", "subset", 5],
      ["2", "subset", 5],
    ]);
  });
});
