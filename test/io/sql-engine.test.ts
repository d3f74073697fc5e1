import { existsSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { InvalidText } from "../../core/execution.ts";
import type { ExecutionStatus } from "../../core/execution.ts";
import { digestFile } from "../../io/files.ts";
import { rowHashesOf } from "../../io/row-hashes.ts";
import { openConnection } from "../../io/sql-driver.ts";
import { SqlEngine } from "../../io/sql-engine.ts";
import { DatabaseFixture, FERRIES } from "./database-fixture.ts";

const LIMITS = { cpuMs: 1000, maxRows: 1000, maxBytes: 100_000 };

let fixture: DatabaseFixture;
let file: string;
let digest: string;
let engine: SqlEngine;

beforeAll(async () => {
  fixture = new DatabaseFixture();
  file = fixture.create("ferries.sqlite", FERRIES);
  digest = (await digestFile(file)).sha256;
});

afterAll(async () => {
  expect((await digestFile(file)).sha256).toBe(digest);
  fixture.remove();
});

beforeEach(() => {
  engine = SqlEngine.open(file, { mode: "query" });
});

afterEach(() => {
  engine.close();
});

function statusOf(sql: string, limits = LIMITS): ExecutionStatus {
  return engine.run(sql, limits).execution.status;
}

function digests(sql: string): { digest: string; orderedDigest: string } {
  return engine.run(sql, LIMITS).execution;
}

describe("SqlEngine.run", () => {
  it("reads rows as typed cells in the order of the columns", () => {
    const table = engine.run("SELECT id, name, length FROM ferry ORDER BY id", LIMITS);
    expect(table.execution).toMatchObject({ status: "ok", message: "", rows: 3, columns: 3 });
    expect(table.columnNames).toEqual(["id", "name", "length"]);
    expect(table.rows).toEqual([
      [1n, "Nordlys", 80.5],
      [2n, null, 40],
      [3n, "Siskin", null],
    ]);
  });

  it("keeps no rows of a large result, and reads them again when someone wants them", () => {
    const limits = { cpuMs: 1000, maxRows: 300_000, maxBytes: 1 << 26 };
    const many = (count: number, order: string): string =>
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count}) SELECT i, 'x' FROM n ORDER BY i ${order}`;
    const up = engine.run(many(200_000, "ASC"), limits);
    const down = engine.run(many(200_000, "DESC"), limits);
    expect(up.execution).toMatchObject({ status: "ok", message: "", rows: 200_000, columns: 2 });
    expect(up.columnNames).toEqual(["i", "'x'"]);
    expect(down.execution.digest).toBe(up.execution.digest);
    expect(down.execution.orderedDigest).not.toBe(up.execution.orderedDigest);
    expect(rowHashesOf(up)?.count).toBe(200_000);
    expect(down.rows).toHaveLength(200_000);
    expect(down.rows[0]).toEqual([200_000n, "x"]);
    expect(down.rows).toBe(down.rows);
    expect(engine.run(many(300_001, "ASC"), limits).execution.status).toBe("too_large");
  });

  it("sees one state of the file, and lets others write when it is closed", () => {
    const shared = fixture.create("shared.sqlite", "CREATE TABLE t (a); INSERT INTO t VALUES (1);");
    const reader = SqlEngine.open(shared, { mode: "query" });
    const writer = openConnection(shared, { readOnly: false });
    const write = (): void => writer.exec("INSERT INTO t VALUES (2)");
    expect(reader.run("SELECT a FROM t", LIMITS).rows).toEqual([[1n]]);
    expect(write).toThrow(/locked/);
    expect(reader.run("SELECT a FROM t", LIMITS).rows).toEqual([[1n]]);
    reader.close();
    write();
    writer.close();
  });

  it("keeps columns of the same name apart", () => {
    const table = engine.run("SELECT f.id, c.ferry_id AS id FROM ferry f, crossing c WHERE f.id = 2", LIMITS);
    expect(table.columnNames).toEqual(["id", "id"]);
    expect(table.rows[0]).toEqual([2n, 1n]);
  });

  it("takes a double-quoted word that is no name as text, as Python's sqlite3 does", () => {
    expect(engine.run('SELECT id FROM ferry WHERE name = "Siskin"', LIMITS).rows).toEqual([[3n]]);
  });

  it("keeps 64 bits of an integer", () => {
    expect(engine.run("SELECT value FROM odd WHERE id IN (4, 5) ORDER BY id", LIMITS).rows).toEqual([
      [9223372036854775807n],
      [9223372036854775808],
    ]);
  });

  it("tells text that is not UTF-8 from text with a real U+FFFD", () => {
    expect(engine.run("SELECT value FROM odd WHERE id IN (1, 3) ORDER BY id", LIMITS).rows).toEqual([
      [new InvalidText(new Uint8Array([0x63, 0x61, 0x66, 0xe9]))],
      ["caf\uFFFD"],
    ]);
  });

  it.each([
    ["stored", "SELECT value FROM odd WHERE id = 2"],
    ["made", "SELECT 'caf' || char(0) || 'e' -- a comment"],
    ["read one by one", "SELECT a.value FROM odd a, odd b WHERE a.id = 2 AND b.id = 2"],
  ])("keeps a NUL within text, %s", (_, sql) => {
    expect(engine.run(sql, LIMITS).rows).toEqual([["caf\0e"]]);
  });

  it("digests results by their values, in any order and in this one", () => {
    const up = digests("SELECT id FROM ferry ORDER BY id");
    const down = digests("SELECT id * 1.0 FROM ferry ORDER BY id DESC");
    expect(up.digest).toMatch(/^[0-9a-f]{32}$/);
    expect(down.digest).toBe(up.digest);
    expect(down.orderedDigest).not.toBe(up.orderedDigest);
    expect(digests("SELECT 1 UNION ALL SELECT 1").digest).not.toBe(digests("SELECT 1").digest);
    expect(digests("SELECT value FROM odd WHERE id = 4").digest).not.toBe(
      digests("SELECT value FROM odd WHERE id = 5").digest,
    );
  });

  it.each<[ExecutionStatus, string]>([
    ["empty", "SELECT id FROM ferry WHERE id = 99"],
    ["ok", "SELECT 1;"],
    ["ok", "SELECT 1; -- done"],
    ["ok", "WITH a AS (SELECT 1 AS b) SELECT b FROM a"],
    ["ok", "VALUES (1), (2)"],
    ["ok", "SELECT name FROM sqlite_master"],
    ["ok", "SELECT name FROM named"],
    ["error", "SELECT nothing FROM ferry"],
    ["error", "SELEC 1"],
    ["error", "SELECT 'open"],
    ["error", "SELECT 1\0"],
    ["error", "SELECT ?1"],
    ["error", "SELECT * FROM ferry WHERE id = :id"],
    ["error", "SELECT abs(-9223372036854775807 - 1)"],
    ["error", "SELECT load_file('x')"],
  ])("ends as %s: %s", (status, sql) => {
    expect(statusOf(sql)).toBe(status);
  });

  it.each(["", "  ", "-- nothing", ";"])("takes %j as a statement without rows or columns", (sql) => {
    expect(engine.run(sql, LIMITS).execution).toMatchObject({ status: "empty", rows: 0, columns: 0 });
  });

  it("cuts a message that quotes a long statement", () => {
    const { message } = engine.run(`SELECT ${"x".repeat(10_000)}`, LIMITS).execution;
    expect(message).toBe(`no such column: ${"x".repeat(984)}…`);
    const astral = engine.run(`SELECT ${"x".repeat(983)}\u{1F426}`, LIMITS).execution.message;
    expect(astral).toBe(`no such column: ${"x".repeat(983)}…`);
  });

  it("gives every result without rows the same digest", () => {
    const { execution } = engine.run("SELECT id, name FROM ferry WHERE id = 99", LIMITS);
    expect(execution).toMatchObject({ status: "empty", rows: 0, columns: 2 });
    expect(execution.digest).toBe(engine.run("", LIMITS).execution.digest);
  });

  it.each([
    "DROP TABLE ferry",
    "INSERT INTO ferry VALUES (9, 'x', 1)",
    "DELETE FROM ferry RETURNING id",
    "WITH a AS (SELECT 1) DELETE FROM ferry",
    "UPDATE ferry SET name = 'x' RETURNING id",
    "CREATE TEMP TABLE t (a)",
    "CREATE TEMP VIEW v AS SELECT 1",
    "ATTACH 'other.sqlite' AS other",
    "ATTACH ':memory:' AS other",
    "VACUUM INTO 'copy.sqlite'",
    "VACUUM",
    "BEGIN",
    "SAVEPOINT a",
    "PRAGMA case_sensitive_like = 1",
    "EXPLAIN PRAGMA case_sensitive_like = 1",
    "PRAGMA table_info(ferry)",
    "SELECT * FROM pragma_table_info('ferry')",
    "SELECT * FROM pragma_database_list",
    "SELECT load_extension('x')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT 1; SELECT 2",
    "SELECT 1; ```",
    "ANALYZE",
    "REINDEX",
  ])("denies %s", (sql) => {
    const { execution } = engine.run(sql, LIMITS);
    expect(execution).toMatchObject({ status: "denied", rows: 0, columns: 0, digest: "" });
    expect(execution.message).not.toBe("");
    expect(engine.run("SELECT 'A' LIKE 'a', count(*) FROM ferry", LIMITS).rows).toEqual([[1n, 3n]]);
    expect(existsSync(path.join(fixture.folder, "copy.sqlite"))).toBe(false);
  });

  it("cuts off a result of too many rows or bytes, and can stream it", () => {
    const endless = "WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r) SELECT i FROM r";
    const table = engine.run(endless, LIMITS);
    expect(table.execution).toMatchObject({ status: "too_large", rows: 1000, columns: 1, digest: "" });
    expect(table.rows).toEqual([]);
    const streamed: unknown[] = [];
    for (const row of table.stream()) {
      streamed.push(...row);
      if (streamed.length === 1002) break;
    }
    expect(streamed.at(-1)).toBe(1002n);
    expect(statusOf("SELECT day, 'x' || day FROM crossing", { ...LIMITS, maxBytes: 20 })).toBe("too_large");
    expect(statusOf("SELECT name FROM ferry", { ...LIMITS, maxRows: 2 })).toBe("too_large");
    expect(statusOf("SELECT name FROM ferry", { ...LIMITS, maxRows: 3 })).toBe("ok");
  });

  it("gives the same result whether rows are read one by one or at once", () => {
    const atOnce = SqlEngine.open(file, { mode: "query", readsAtOnce: true });
    for (const sql of [
      "SELECT * FROM ferry",
      "SELECT value FROM odd",
      "SELECT f.name, c.day FROM ferry AS f JOIN crossing AS c ON f.id = c.ferry_id",
      "SELECT a.id FROM odd a JOIN odd b JOIN odd c JOIN odd d",
    ]) {
      const limits = { ...LIMITS, maxRows: 2000 };
      const { stream: _, ...one } = engine.run(sql, limits);
      expect(atOnce.run(sql, limits)).toMatchObject(one);
    }
    atOnce.close();
  });
});

describe("SqlEngine.readThrough", () => {
  it("runs a statement to its end under the authorizer and gives no rows", () => {
    engine.readThrough("SELECT name FROM ferry");
    for (const sql of [
      "SELECT nothing FROM ferry",
      "DELETE FROM ferry",
      "SELECT abs(-9223372036854775808)",
    ]) {
      expect(() => {
        engine.readThrough(sql);
      }).toThrowError(expect.objectContaining({ code: "SQL_STATEMENT_FAILED" }));
    }
    expect(engine.run("SELECT count(*) FROM ferry", LIMITS).rows).toEqual([[3n]]);
  });
});

describe("SqlEngine.open", () => {
  it("reads tables in reverse where asked to, and only where nothing says which order", () => {
    const reversed = SqlEngine.open(file, { mode: "query", readsInReverse: true });
    try {
      expect(reversed.run("SELECT id FROM ferry", LIMITS).rows).toEqual([[3n], [2n], [1n]]);
      expect(reversed.run("SELECT id FROM ferry ORDER BY id", LIMITS).rows).toEqual([[1n], [2n], [3n]]);
    } finally {
      reversed.close();
    }
  });

  it("throws for a file that is not there", () => {
    expect(() => SqlEngine.open(path.join(fixture.folder, "none.sqlite"), { mode: "query" })).toThrowError(
      expect.objectContaining({ code: "DATABASE_UNREADABLE" }),
    );
  });

  it("lets mode explore read what describes the schema, and nothing more", () => {
    const exploring = SqlEngine.open(file, { mode: "explore" });
    const statuses = [
      "PRAGMA table_info(ferry)",
      "PRAGMA foreign_key_list('crossing')",
      "SELECT name FROM pragma_table_info('ferry')",
      "PRAGMA user_version",
      "PRAGMA table_info = 3",
      "SELECT * FROM pragma_database_list",
      "EXPLAIN PRAGMA table_info(ferry)",
    ].map((sql) => exploring.run(sql, LIMITS).execution.status);
    exploring.close();
    expect(statuses).toEqual(["ok", "ok", "ok", "denied", "denied", "denied", "denied"]);
  });
});
