import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Database } from "../../core/database.ts";
import type { StageSource } from "../../core/stage.ts";
import { loadStage } from "../../datasets/load.ts";
import { profileStage } from "../../datasets/profile.ts";
import { databaseLocator } from "../../io/locate-database.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";
import { type SqlJudge, createSqlJudge } from "../../pipelines/sql-judge.ts";
import { NO_MODELS, NO_PROFILER, NO_SQL, noLedger, rowsOf, runStage } from "../fakes/run-stage.ts";
import { buildBakery } from "./bakery-database.ts";
import { BAKERY_TABLES, writeFolder } from "./dataset-fixtures.ts";

const plugs = createPlugFinder();
const OPTIONS = { loader: "spider", split: "dev", release: null };
const judges: SqlJudge[] = [];

afterEach(async () => {
  for (const judge of judges.splice(0)) await judge.close();
});

const row = (databaseId: string) => ({ db_id: databaseId, question: "q", query: "SELECT 1" });

async function spiderFolder(): Promise<string> {
  const root = await writeFolder({
    "tables.json": [BAKERY_TABLES],
    "dev.json": [row("lost"), row("bakery"), row("lost"), row("../bakery")],
  });
  buildBakery(path.join(root, "database"));
  return root;
}

async function profile(root: string, warnings: string[]): Promise<Database[]> {
  const inspector = createSqlJudge({ workers: 1, databasePath: databaseLocator([]) });
  judges.push(inspector);
  const loaded = await runStage(loadStage, {}, { ...OPTIONS, limit: null }, { plugs, runtime: { root } });
  const rows: Database[] = [];
  const run = profileStage.run({
    inputs: { schemas: rowsOf(loaded.schemas), examples: rowsOf(loaded.examples) },
    options: profileStage.options.parse(OPTIONS),
    runtime: { root, concurrency: 2 },
    context: {
      seed: 0,
      signal: new AbortController().signal,
      plugs,
      judge: inspector,
      inspector,
      profiler: NO_PROFILER,
      sql: NO_SQL,
      models: NO_MODELS,
      ledger: noLedger,
      folder: root,
      progress: () => undefined,
      warn: (message) => warnings.push(message),
    },
  });
  for await (const { row: database } of run) rows.push(database);
  return rows;
}

/** The files that decide the profile of the folder's examples. */
async function sourcesOf(root: string): Promise<readonly StageSource[]> {
  const loaded = await runStage(loadStage, {}, { ...OPTIONS, limit: null }, { plugs, runtime: { root } });
  const inputs = { schemas: rowsOf(loaded.schemas), examples: rowsOf(loaded.examples) };
  return profileStage.sources(profileStage.options.parse(OPTIONS), { root, concurrency: 1 }, plugs, inputs);
}

describe("profileStage", () => {
  it("looks at every database in the order of first use and warns of those it cannot use", async () => {
    const root = await spiderFolder();
    const warnings: string[] = [];
    const databases = await profile(root, warnings);
    expect(databases.map((one) => [one.databaseId, one.status])).toEqual([
      ["lost", "missing"],
      ["bakery", "ok"],
      ["../bakery", "missing"],
    ]);
    expect(databases[1]?.rowCounts).toEqual([2, 0]);
    expect(databases[1]?.schema.tables[0]?.columns[0]?.comment).toBe("loaf id");
    expect(databases[1]?.values).toContainEqual({ table: "Loaf", column: "Name", values: ["Rye", "Spelt"] });
    const bytes = readFileSync(path.join(root, "database/bakery/bakery.sqlite"));
    expect(databases[1]?.digest).toBe(createHash("sha256").update(bytes).digest("hex"));
    expect(warnings.some((warning) => warning.startsWith("database lost is missing"))).toBe(true);
  });

  it("tells test suites apart by the files beside a database", async () => {
    const root = await spiderFolder();
    const suiteOf = async (): Promise<string | undefined> => (await profile(root, []))[1]?.suiteDigest;
    expect(await suiteOf()).toBeUndefined();
    const file = path.join(root, "database/bakery/bakery_b.sqlite");
    await writeFile(file, "one");
    const first = await suiteOf();
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await suiteOf()).toBe(first);
    await writeFile(file, "two");
    const second = await suiteOf();
    await writeFile(`${file}-wal`, "two");
    expect(new Set([first, second, await suiteOf()]).size).toBe(3);
    expect(await sourcesOf(root)).toEqual([
      { name: "bakery.sqlite", path: path.join(root, "database/bakery/bakery.sqlite") },
      { name: "bakery/bakery_b.sqlite", path: file },
      { name: "bakery/bakery_b.sqlite-wal", path: `${file}-wal` },
    ]);
  });

  it("names the files of the databases in use, with their journals", async () => {
    const root = await spiderFolder();
    const file = path.join(root, "database/bakery/bakery.sqlite");
    await writeFile(`${file}-wal`, "");
    expect(await sourcesOf(root)).toEqual([
      { name: "bakery.sqlite", path: file },
      { name: "bakery.sqlite-wal", path: `${file}-wal` },
    ]);
  });
});
