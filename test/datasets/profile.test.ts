import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { Database } from "../../core/database.ts";
import { loadStage } from "../../datasets/load.ts";
import { profileStage } from "../../datasets/profile.ts";
import { databaseLocator } from "../../io/locate-database.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";
import { type SqlJudge, createSqlJudge } from "../../pipelines/sql-judge.ts";
import { NO_MODELS, NO_SQL, noLedger, rowsOf, runStage } from "../fakes/run-stage.ts";
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

  it("names the files of the databases in use, with their journals", async () => {
    const root = await spiderFolder();
    const file = path.join(root, "database/bakery/bakery.sqlite");
    await writeFile(`${file}-wal`, "");
    const options = profileStage.options.parse(OPTIONS);
    expect(await profileStage.sources(options, { root, concurrency: 1 }, plugs)).toEqual([
      { name: "bakery.sqlite", path: file },
      { name: "bakery.sqlite-wal", path: `${file}-wal` },
    ]);
  });
});
