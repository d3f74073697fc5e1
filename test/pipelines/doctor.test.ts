import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { databaseLocator } from "../../io/locate-database.ts";
import { type DiagnoseOptions, diagnose } from "../../pipelines/doctor.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";
import { type SqlJudge, createSqlJudge } from "../../pipelines/sql-judge.ts";
import { buildBakery } from "../datasets/bakery-database.ts";
import { BAKERY_TABLES, writeFolder } from "../datasets/dataset-fixtures.ts";
import { describeWithShared } from "../shared-folder.ts";

const plugs = createPlugFinder();
const judges: SqlJudge[] = [];

afterEach(async () => {
  for (const judge of judges.splice(0)) await judge.close();
});

async function examine(
  loader: string,
  root: string,
  splits: readonly string[] | null,
  more: Partial<DiagnoseOptions> = {},
) {
  const plug = await plugs.find("loader", loader);
  const split = splits?.[0] ?? plug.splits[0] ?? "";
  const folders = plug.databaseFolders({ root, split, release: null });
  const judge = createSqlJudge({ workers: 2, databasePath: databaseLocator(folders) });
  judges.push(judge);
  return diagnose({
    loader,
    root,
    splits,
    release: null,
    plugs,
    judge,
    inspector: judge,
    progress: () => undefined,
    ...more,
  });
}

const question = (query: string, databaseId = "bakery") => ({ db_id: databaseId, question: "q?", query });

const item = (id: number, SQL: string) => ({
  question_id: id,
  db_id: "bakery",
  question: "q?",
  evidence: "",
  SQL,
});

const turns = (...queries: string[]) => ({
  database_id: "bakery",
  interaction: queries.map((query) => ({ utterance: "and?", query })),
});

describe("diagnose", () => {
  it("runs every gold and groups how it ended", async () => {
    const root = await writeFolder({
      "tables.json": [BAKERY_TABLES],
      "dev.json": [
        question("SELECT * FROM Loaf"),
        question("SELECT * FROM Sale"),
        question("SELECT * FROM Roll"),
        question("SELECT 1 FROM FROM Loaf"),
        question("SELECT 1", "lost"),
        question("DELETE FROM Loaf"),
        { db_id: "bakery" },
      ],
    });
    buildBakery(path.join(root, "database"));
    const report = await examine("spider", root, null);
    expect(report.ok).toBe(false);
    expect(report.splits.map((one) => one.split)).toEqual(["dev"]);
    const [split] = report.splits;
    expect(split?.golds.statuses).toEqual({ database_missing: 1, denied: 1, empty: 1, error: 2, ok: 1 });
    expect(split?.golds.ran).toBe(2);
    expect(split?.golds.causes).toEqual([
      { cause: "denied", count: 1 },
      { cause: "no such table", count: 1 },
      { cause: "syntax", count: 1 },
    ]);
    expect(split?.golds.broken.map((one) => [one.sourceId, one.databaseId, one.status])).toEqual([
      ["2", "bakery", "error"],
      ["3", "bakery", "error"],
      ["5", "bakery", "denied"],
    ]);
    expect(split?.golds.broken[0]?.message).toContain("no such table: Roll");
    expect(split?.rejects.map((reject) => reject.rowId)).toEqual(["dev.json[6]"]);
    expect(split?.databases).toEqual([
      { databaseId: "bakery", golds: 5 },
      { databaseId: "lost", golds: 1 },
    ]);
    expect(report.databases).toMatchObject([
      {
        databaseId: "bakery",
        status: "ok",
        tables: 2,
        rows: 2,
        file: path.join(root, "database/bakery/bakery.sqlite"),
      },
      { databaseId: "lost", status: "missing", file: null },
    ]);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it("grades golds only where it is given a runner, and a finding is no defect", async () => {
    const root = await writeFolder({
      "tables.json": [BAKERY_TABLES],
      "dev.json": [
        question("SELECT Name FROM Loaf ORDER BY Loaf_ID"),
        question("SELECT Name FROM Loaf LIMIT 1"),
      ],
    });
    const file = buildBakery(path.join(root, "database"));
    const runner = createSqlJudge({ workers: 1, databasePath: () => file });
    judges.push(runner);
    const report = await examine("spider", root, ["dev"], { grader: runner });
    expect(report.ok).toBe(true);
    expect(report.splits[0]?.grading).toMatchObject({
      graded: 2,
      stable: 1,
      modes: { ordered: 1, subset: 1 },
      undetermined: [{ sourceId: "1", databaseId: "bakery", mode: "subset", k: 1 }],
    });
    expect((await examine("spider", root, ["dev"])).splits[0]).not.toHaveProperty("grading");
  });

  it("is content with a sound dataset, also in write-ahead mode", async () => {
    const root = await writeFolder({
      "tables.json": [BAKERY_TABLES],
      "dev.json": [question("SELECT * FROM Loaf")],
    });
    buildBakery(path.join(root, "database"), "WAL");
    const report = await examine("spider", root, ["dev"]);
    expect(report.databases.map((one) => one.status)).toEqual(["wal"]);
    expect(report.splits[0]?.golds.statuses).toEqual({ ok: 1 });
    expect(report.ok).toBe(true);
  });

  it("tells a database that is none from a missing one", async () => {
    const root = await writeFolder({
      "tables.json": [BAKERY_TABLES],
      "dev.json": [question("SELECT * FROM Loaf")],
      "database/bakery/bakery.sqlite": "version https://example.org/pointer",
    });
    const report = await examine("spider", root, ["dev"]);
    expect(report.databases.map((one) => one.status)).toEqual(["not_a_database"]);
    expect(report.splits[0]?.golds.statuses).toEqual({ database_unusable: 1 });
  });

  it("parts doubled ids into identical and conflicting ones", async () => {
    const root = await writeFolder({
      "dev_tables.json": [BAKERY_TABLES],
      "mini_dev_sqlite.json": [
        item(1, "SELECT 1"),
        item(2, "SELECT 2"),
        item(1, "SELECT 1"),
        item(2, "SELECT 3"),
      ],
    });
    buildBakery(path.join(root, "dev_databases"));
    const [split] = (await examine("bird", root, ["mini_dev"])).splits;
    expect(split?.duplicates).toEqual({
      identical: [{ sourceId: "1", times: 2 }],
      conflicting: [{ sourceId: "2", times: 2 }],
    });
  });

  it("counts dialogues whose golds all run", async () => {
    const root = await writeFolder({
      "tables.json": [BAKERY_TABLES],
      "dev.json": [
        turns("SELECT 1", "SELECT Name FROM Loaf WHERE Loaf_ID > = 1"),
        turns("SELECT 1", "SELECT x FROM y"),
      ],
    });
    buildBakery(path.join(root, "database"));
    const [split] = (await examine("sparc", root, ["dev"])).splits;
    expect(split?.dialogues).toEqual({ total: 2, whole: 1 });
    expect(split?.golds.statuses).toEqual({ error: 1, ok: 3 });
  });

  it("runs a gold file that stands alone, and says that the questions are missing", async () => {
    const root = await writeFolder({
      "tables.json": [BAKERY_TABLES],
      "dev_gold.sql": "SELECT * FROM Loaf\tbakery\n\nSELECT 1\nSELECT * FROM Roll\tbakery\n",
    });
    buildBakery(path.join(root, "database"));
    const report = await examine("spider", root, null);
    const [split] = report.splits;
    expect(split).toMatchObject({ split: "dev", goldsFrom: "gold file", examples: 0, release: "" });
    expect(split?.golds.statuses).toEqual({ error: 1, ok: 1 });
    expect(split?.rejects.map((reject) => reject.rowId)).toEqual(["dev_gold.sql:3"]);
    expect(split?.files.find((file) => file.role === "questions")?.present).toBe(false);
    expect(report.ok).toBe(false);
  });

  it("reports a file that is cut off instead of failing", async () => {
    const root = await writeFolder({ "tables.json": [BAKERY_TABLES], "dev.json": '[{"db_id": "bak' });
    const [split] = (await examine("spider", root, ["dev"])).splits;
    expect(split?.problems).toHaveLength(1);
    expect(split?.problems[0]).toContain("DATASET_FILE_MALFORMED");
  });

  it("reports an empty folder, and refuses an unknown split", async () => {
    const root = await writeFolder({ "readme.txt": "nothing" });
    const report = await examine("sparc", root, null);
    expect(report).toMatchObject({ ok: false, splits: [{ split: "train", goldsFrom: "nothing" }] });
    await expect(examine("sparc", root, ["test"])).rejects.toMatchObject({ code: "DATASET_SPLIT_UNKNOWN" });
  });

  it("holds golds to the limits it is given", async () => {
    const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n";
    const root = await writeFolder({ "tables.json": [BAKERY_TABLES], "dev.json": [question(endless)] });
    buildBakery(path.join(root, "database"));
    const limits = { cpuMs: 100, maxRows: 10, maxBytes: 1000 };
    const [split] = (await examine("spider", root, ["dev"], { limits })).splits;
    expect(split?.golds.broken.map((one) => [one.status, one.cause])).toEqual([["timeout", "timeout"]]);
  });
});

describeWithShared("diagnose on the real files", (folder) => {
  it.each([
    ["spider", "spider", { ran: 972, total: 1034 }],
    ["sparc", "sparc", { ran: 1143, total: 1203 }],
    ["cosql", "cosql", { ran: 947, total: 1007 }],
    ["spider-dk", "spider_variants/spider_dk", { ran: 472, total: 535 }],
    ["spider-syn", "spider_variants/spider_syn", { ran: 972, total: 1034 }],
    ["spider-realistic", "spider_variants/spider_realistic", { ran: 476, total: 508 }],
  ])("%s: the golds of %s dev that run", async (loader, place, golds) => {
    const report = await examine(loader, path.join(folder, "data", place), ["dev"]);
    expect(report.splits[0]?.golds).toMatchObject(golds);
    expect(report.databases.filter((one) => one.status !== "ok").map((one) => one.databaseId)).toEqual([
      "wta_1",
    ]);
  });

  it("finds the three broken golds of Spider train, by name", async () => {
    const report = await examine("spider", path.join(folder, "data/spider"), ["train"]);
    expect(report.splits[0]?.golds).toMatchObject({ ran: 6901, total: 7000 });
    expect(report.splits[0]?.golds.broken.map((one) => [one.sourceId, one.databaseId])).toEqual([
      ["3153", "assets_maintenance"],
      ["4513", "document_management"],
      ["4514", "document_management"],
    ]);
    expect(report.databases.filter((one) => one.status !== "ok").map((one) => one.databaseId)).toEqual([
      "soccer_1",
      "baseball_1",
    ]);
  }, 120_000);

  it("finds the doubled ids of mini-dev", async () => {
    const report = await examine("bird", path.join(folder, "data/bird"), ["mini_dev"]);
    expect(report.splits[0]?.duplicates).toEqual({
      identical: [
        { sourceId: "137", times: 2 },
        { sourceId: "138", times: 2 },
      ],
      conflicting: [],
    });
    expect(report.splits[0]?.golds.ran).toBe(100);
  });

  it("runs BIRD dev on the two databases that are there", async () => {
    const report = await examine("bird", path.join(folder, "data/bird"), ["dev"]);
    expect(report.splits[0]?.golds).toMatchObject({ ran: 287, broken: [] });
  });
});
