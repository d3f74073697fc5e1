import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "../../../core/database.ts";
import { judgeChange } from "../../../pipelines/audit/judge-change.ts";
import { createSqlJudge, type SqlJudge } from "../../../pipelines/sql-judge.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { writeShopDatabase } from "../../e2e/spider-fixture.ts";

const limits = { cpuMs: 5_000, maxRows: 1_000, maxBytes: 1_000_000 };
const NAMES = "SELECT name FROM shop WHERE staff > 4";

describe("judgeChange", () => {
  let judge: SqlJudge;
  let database: Database;

  beforeAll(async () => {
    const folder = await temporaryFolder();
    writeShopDatabase(folder, "north");
    const file = path.join(folder, "database", "north", "north.sqlite");
    judge = createSqlJudge({ workers: 1, databasePath: () => file });
    database = await judge.inspect({ databaseId: "north", path: file, described: null, valuesPerColumn: 0 });
  });

  afterAll(() => judge.close());

  const change = (before: string[], after: string[], answers: string[] = []) =>
    judgeChange(judge, {
      databases: { before: database, after: database },
      gold: { before, after },
      answers: answers.map((sql, index) => ({ system: `s${index}`, sql })),
      metric: "bird-ex",
      limits,
    });

  it("says how close two results are", async () => {
    const relation = async (after: string) => (await change([NAMES], [after])).result;
    expect(await relation(`${NAMES} ORDER BY id`)).toBe("same_order");
    expect(await relation(`${NAMES} ORDER BY id DESC`)).toBe("same_rows");
    expect(await relation(`${NAMES} UNION ALL SELECT 'Mill'`)).toBe("same_set");
    expect(await relation("SELECT name FROM shop")).toBe("different");
    expect(await relation("SELECT name FROM shops")).toBeNull();
  });

  it("says how each gold ended", async () => {
    expect(await change([NAMES], ["SELECT name FROM shops"])).toMatchObject({
      before: { status: "ok", rows: 2 },
      after: { status: "error", message: "no such table: shops" },
    });
    expect(await change([], ["SELECT 1 WHERE 0"])).toMatchObject({
      before: null,
      after: { status: "empty" },
    });
  });

  it("says whose verdict turns, and what most answer", async () => {
    const all = "SELECT name FROM shop";
    const found = await change([NAMES], [all], [all, `${all} ORDER BY 1`, NAMES, "SELECT nothing"]);
    expect(found).toMatchObject({
      rightBefore: 1,
      rightAfter: 2,
      moved: [
        { system: "s0", before: 0, after: 1 },
        { system: "s1", before: 0, after: 1 },
        { system: "s2", before: 1, after: 0 },
      ],
      consensus: { voters: 3, votes: 2, sql: all, agreesWithBefore: false, agreesWithAfter: true },
    });
  });

  it("finds no consensus among two voters that differ, nor in one vote", async () => {
    expect((await change([NAMES], [NAMES], [NAMES, "SELECT 1"])).consensus).toBeNull();
    expect((await change([NAMES], [NAMES], [NAMES])).consensus).toBeNull();
  });
});
