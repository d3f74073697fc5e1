import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { diffReleases, type DiffRequest } from "../../../pipelines/audit/diff-releases.ts";
import { createSqlJudge, type SqlJudge } from "../../../pipelines/sql-judge.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { writeShopDatabase } from "../../e2e/spider-fixture.ts";
import { releaseRow } from "./release-fixtures.ts";

describe("diffReleases", () => {
  let judge: SqlJudge;
  let databasePath: (databaseId: string) => string | null;

  beforeAll(async () => {
    const folder = await temporaryFolder();
    writeShopDatabase(folder, "north");
    const file = path.join(folder, "database", "north", "north.sqlite");
    databasePath = (databaseId) => (databaseId === "north" ? file : null);
    judge = createSqlJudge({ workers: 1, databasePath });
  });

  afterAll(() => judge.close());

  const release = (name: string, ...rows: Partial<ReturnType<typeof releaseRow>>[]) => ({
    name,
    rows: rows.map((row, position) =>
      releaseRow({ id: String(position), position, databaseId: "north", ...row }),
    ),
    databaseFolders: [],
  });
  const diff = (request: Pick<DiffRequest, "before" | "after"> & Partial<DiffRequest>) =>
    diffReleases(
      {
        systems: [],
        isPartial: false,
        metric: "bird-ex",
        limits: { cpuMs: 5_000, maxRows: 1_000, maxBytes: 1_000_000 },
        databasePath,
        concurrency: 2,
        ...request,
      },
      { judge, inspector: judge, progress: () => undefined },
    );

  it("lists what changed, in the order of the older release, and runs it where it can", async () => {
    const before = release("old", {}, { gold: ["SELECT name FROM shop"] }, { databaseId: "far" }, {}, {});
    const after = release(
      "new",
      { gold: ["select 1"] },
      { gold: ["SELECT id FROM shop"] },
      { databaseId: "far", evidence: "x" },
      {},
    );
    const found = await diff({ before, after });
    expect(
      found.changes.map(({ id, changed, signs, unjudged }) => ({ id, changed, signs, unjudged })),
    ).toEqual([
      { id: "0", changed: ["gold"], signs: ["no_op_text"], unjudged: null },
      { id: "1", changed: ["gold"], signs: [], unjudged: null },
      { id: "2", changed: ["evidence"], signs: [], unjudged: "database_missing" },
      { id: "4", changed: ["removed"], signs: [], unjudged: null },
    ]);
    expect(found.changes[1]?.effect?.result).toBe("different");
    expect(found).toMatchObject({
      before: { name: "old", questions: 5 },
      missingDatabases: ["far"],
      totals: { matched: 4, changedQuestions: 4 },
    });
  });

  it("takes what a partial release lacks for unchanged, and judges answers under both golds", async () => {
    const before = release("old", { gold: ["SELECT name FROM shop"] }, {});
    const after = release("sheet", { gold: ["SELECT id FROM shop"] });
    const answers = new Map([[before.rows[0] ?? releaseRow(), "SELECT id FROM shop"]]);
    const found = await diff({
      before,
      after,
      isPartial: true,
      systems: [{ name: "a.txt", answers, astray: 0 }],
    });
    expect(found.totals).toMatchObject({
      passedOver: 1,
      changed: { removed: 0 },
      verdicts: { wrongToRight: 1 },
    });
  });

  it("says why it runs nothing without SQL or the name of a database", async () => {
    const before = release("old", { gold: null }, { databaseId: null });
    const after = release("new", { gold: null, question: "x" }, { databaseId: null, question: "y" });
    expect((await diff({ before, after })).changes.map(({ unjudged }) => unjudged)).toEqual([
      "no_gold",
      "database_unnamed",
    ]);
  });
});
