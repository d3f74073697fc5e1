import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { QueryReply, QueryRequest } from "../../core/sql-runner.ts";
import { digestFile } from "../../io/files.ts";
import { createSqlJudge, type SqlJudge } from "../../pipelines/sql-judge.ts";
import { endedQuery, queryEnd } from "../../pipelines/sql-query.ts";
import { DatabaseFixture, FERRIES as SCRIPT } from "../io/database-fixture.ts";
import { untilGone } from "../io/process-state.ts";
import { FERRIES } from "../synth/synth-rows.ts";

const LIMITS = { cpuMs: 5_000, maxRows: 1_000, maxBytes: 1_000_000 };
const SHORT = { ...LIMITS, cpuMs: 150 };
const ENDLESS = "WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT count(*) FROM r";
const ALIVE = "SELECT count(*) FROM ferry";

let fixture: DatabaseFixture;
let file: string;
let digest: string;
const judges: SqlJudge[] = [];

beforeAll(async () => {
  fixture = new DatabaseFixture();
  file = fixture.create("ferries.sqlite", SCRIPT);
  digest = (await digestFile(file)).sha256;
});

afterEach(async () => {
  await Promise.all(judges.splice(0).map((judge) => judge.close()));
});

afterAll(async () => {
  expect((await digestFile(file)).sha256).toBe(digest);
  fixture.remove();
});

function start(): SqlJudge {
  const databasePath = (id: string): string | null => (id === "ferries" ? file : null);
  const judge = createSqlJudge({ workers: 1, databasePath });
  judges.push(judge);
  return judge;
}

function query(judge: SqlJudge, sql: string, parts: Partial<QueryRequest> = {}): Promise<QueryReply> {
  const shown = { maxShownRows: 50, maxCellCharacters: 40 };
  return judge.query({ database: FERRIES, sql, mode: "query", limits: LIMITS, ...shown, ...parts });
}

describe("rows", () => {
  it("come with their columns, in the statement's order", async () => {
    const reply = await query(start(), "SELECT id, name, length FROM ferry ORDER BY id DESC");
    expect(reply.columnNames).toEqual(["id", "name", "length"]);
    expect(reply.rows).toEqual([
      [3, "Siskin", null],
      [2, null, 40],
      [1, "Nordlys", 80.5],
    ]);
    expect(reply.execution).toMatchObject({ status: "ok", message: "", rows: 3, columns: 3 });
  });

  it("are the first ones asked for, counted in full", async () => {
    const reply = await query(start(), "SELECT id FROM ferry ORDER BY id", { maxShownRows: 2 });
    expect(reply.rows).toEqual([[1], [2]]);
    expect(reply.execution).toMatchObject({ status: "ok", rows: 3 });
  });

  it("hold what JSON has no number or text for", async () => {
    const { rows } = await query(start(), "SELECT value FROM odd ORDER BY id");
    expect(rows.map(([value]) => value)).toEqual([
      "caf\u{FFFD}",
      "caf\0e",
      "caf\u{FFFD}",
      { integer: "9223372036854775807" },
      9223372036854775808,
      { blob: "636166" },
      "caf",
    ]);
  });

  it("have long cells cut", async () => {
    const { rows } = await query(start(), "SELECT name, x'0102030405', 12345678 FROM ferry WHERE id = 1", {
      maxCellCharacters: 4,
    });
    expect(rows).toEqual([["Nord…", { blob: "0102…" }, 12345678]]);
  });

  it("are none where there are none", async () => {
    const reply = await query(start(), "SELECT id, name FROM ferry WHERE id > 9");
    expect(reply).toMatchObject({
      rows: [],
      columnNames: ["id", "name"],
      execution: { status: "empty", rows: 0 },
    });
  });

  it("beyond the limit are an outcome of their own", async () => {
    const { rows, execution } = await query(start(), "SELECT * FROM ferry, odd", {
      limits: { ...LIMITS, maxRows: 10 },
    });
    expect(execution.status).toBe("too_large");
    expect(rows).toEqual([]);
  });
});

describe("exploring", () => {
  it("may ask what a table is made of", async () => {
    const judge = start();
    const reply = await query(judge, "PRAGMA table_info(ferry)", { mode: "explore" });
    const names = reply.rows.map((row) => [row[1], row[2]]);
    expect(names).toEqual([
      ["id", "INTEGER"],
      ["name", "TEXT"],
      ["length", "REAL"],
    ]);
    const tables = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
    const listed = await query(judge, tables, { mode: "explore" });
    expect(listed.rows).toEqual([["crossing"], ["ferry"], ["odd"]]);
  });

  it("is another thing than a query, which may not", async () => {
    const reply = await query(start(), "PRAGMA table_info(ferry)");
    expect(reply).toMatchObject({ rows: [], execution: { status: "denied" } });
  });

  it.each(["PRAGMA user_version = 7", "PRAGMA writable_schema = 1", "PRAGMA journal_mode = DELETE"])(
    "may not set anything: %s",
    async (sql) => {
      expect((await query(start(), sql, { mode: "explore" })).execution.status).toBe("denied");
    },
  );
});

describe("a statement that does harm", () => {
  it.each(["query", "explore"] as const)("is denied in %s mode, and the next one runs", async (mode) => {
    const judge = start();
    const statements = [
      "DELETE FROM ferry",
      "INSERT INTO ferry VALUES (9, 'Late', 1)",
      "UPDATE ferry SET name = 'x'",
      "DROP TABLE ferry",
      "CREATE TABLE more (id)",
      "ATTACH 'other.sqlite' AS other",
      "SELECT load_extension('evil')",
      "SELECT 1; DELETE FROM ferry",
    ];
    for (const sql of statements) {
      const { execution, rows } = await query(judge, sql, { mode });
      expect([sql, ["denied", "error"].includes(execution.status), rows]).toEqual([sql, true, []]);
      expect(execution.message).not.toBe("");
    }
    expect((await query(judge, ALIVE, { mode })).rows).toEqual([[3]]);
  });

  it("by what it says is an error with the engine's words", async () => {
    const { execution } = await query(start(), "SELECT missing FROM ferry");
    expect(execution).toMatchObject({ status: "error", message: "no such column: missing" });
  });

  it("by never ending is a timeout, and the next one runs in a new process", async () => {
    const judge = start();
    expect((await query(judge, ALIVE)).rows).toEqual([[3]]);
    const before = judge.processIds();
    const [endless, next] = await Promise.all([
      query(judge, ENDLESS, { limits: SHORT }),
      query(judge, ALIVE),
    ]);
    expect(endless).toMatchObject({ rows: [], columnNames: [], execution: { status: "timeout" } });
    expect(endless.execution.message).toContain("150 ms of CPU time");
    expect(next.rows).toEqual([[3]]);
    expect(judge.processIds()).not.toEqual(before);
  });
});

describe("a worker that is killed from outside", () => {
  it("in the middle of a query leaves the next query its answer", async () => {
    const judge = start();
    await query(judge, ALIVE);
    const [worker = 0] = judge.processIds();
    const pending = query(judge, ALIVE);
    process.kill(worker, "SIGKILL");
    expect((await pending).rows).toEqual([[3]]);
    await untilGone([worker]);
    expect((await query(judge, ALIVE)).rows).toEqual([[3]]);
  });
});

describe("no query", () => {
  it("is run on a database without a file", async () => {
    const reply = await query(start(), "SELECT 1", { database: { ...FERRIES, databaseId: "gone" } });
    expect(reply).toEqual(endedQuery("error", "the database has no file"));
  });

  it("is taken after the end", async () => {
    const judge = start();
    await judge.close();
    await expect(query(judge, ALIVE)).rejects.toMatchObject({ code: "SQL_JUDGE_CLOSED" });
  });
});

it("only deaths that a statement caused are answers", () => {
  const killed = { status: "killed", mark: null, message: "killed by SIGSEGV" } as const;
  expect(queryEnd({ ...killed, cause: "cpu" }, 150)?.execution).toMatchObject({
    status: "timeout",
    message: "it took more than 150 ms of CPU time",
  });
  expect(queryEnd({ ...killed, cause: "crash" }, 150)?.execution).toMatchObject({
    status: "crashed",
    message: "its process died twice: of memory or a signal",
  });
  expect(queryEnd({ ...killed, cause: "closed" }, 150)).toBeNull();
  expect(queryEnd({ ...killed, cause: "stuck" }, 150)).toBeNull();
  expect(queryEnd({ status: "done" }, 150)).toBeNull();
});
