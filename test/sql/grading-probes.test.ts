import SqliteDatabase from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { bareColumnProbe, bareExtremeProbe, numericTextProbe } from "../../sql/grading-probes.ts";
import { outermostQuery } from "../../sql/outermost-query.ts";

function hasRow(setup: string, probe: string): boolean {
  const database = new SqliteDatabase(":memory:");
  try {
    database.exec(setup);
    return database.prepare(probe).get() !== undefined;
  } finally {
    database.close();
  }
}

describe("numericTextProbe", () => {
  it.each<[string[], string | null, boolean]>([
    [["9", "10"], null, true],
    [["10", "11"], null, false],
    [["10", "11"], "9", true],
    [["-1", "-2"], null, true],
    [["9", "10", "null", "", " N/A "], null, true],
    [["9", "10", "about 3"], null, false],
    [["2012-01-09", "2012-01-10"], null, false],
    [["1.5", "10.25", "9e0"], null, true],
    [["1.2.3", "10.2.3", "9.1.1"], null, false],
    [[], null, false],
  ])("of %j with %j is %s", (values, literal, expected) => {
    const rows = values.map((value) => `('${value}')`).join(", ");
    const setup = `CREATE TABLE "a ""b""" ("of it" TEXT);${rows === "" ? "" : `INSERT INTO "a ""b""" VALUES ${rows}`}`;
    const probe = numericTextProbe({ table: 'a "b"', column: "of it", by: "MAX", literal });
    expect(hasRow(setup, probe)).toBe(expected);
  });
});

describe("bareColumnProbe", () => {
  const SETUP =
    "CREATE TABLE t (a, b, c); INSERT INTO t VALUES (1, 'x', 'p'), (1, 'x', NULL), (2, 'y', 'q'), (2, 'y', 'q')";

  it.each([
    ["SELECT b, count(*) FROM t GROUP BY a", "b", false],
    ["SELECT c, count(*) FROM t GROUP BY a", "c", true],
    ["SELECT DISTINCT c FROM t GROUP BY a -- all", "c", true],
    ["SELECT c FROM t GROUP BY a ORDER BY a DESC LIMIT 1", "c", false],
    ["WITH u AS (SELECT * FROM t) SELECT c, count(*) FROM u", "c", true],
  ])("of %s and %s is %s", (sql, column, expected) => {
    const query = outermostQuery(sql);
    expect(query && hasRow(SETUP, bareColumnProbe(query, column) ?? "")).toBe(expected);
  });
});

describe("bareExtremeProbe", () => {
  const SETUP =
    "CREATE TABLE t (a, b, c); INSERT INTO t VALUES (1, 'x', 5), (1, 'y', 5), (1, 'x', 3), (2, 'z', NULL), (2, 'z', 4)";

  it.each([
    ["SELECT b, max(c) FROM t GROUP BY a", "max", true],
    ["SELECT b, min(c) FROM t GROUP BY a", "min", false],
    ["SELECT DISTINCT b, max(c) FROM t WHERE a = 2 GROUP BY 3 - a", "max", false],
    ["SELECT a AS g, b, max(c) FROM t GROUP BY g ORDER BY b", "max", true],
    ["WITH u AS (SELECT * FROM t) SELECT b, max(c) FROM u -- all", "max", true],
  ] as const)("of %s is %s: %s", (sql, name, expected) => {
    const query = outermostQuery(sql);
    expect(query && hasRow(SETUP, bareExtremeProbe(query, "b", { name, of: "c" }) ?? "")).toBe(expected);
  });

  it.each([
    "SELECT b, max(c) FROM t GROUP BY a LIMIT 1",
    "SELECT b, max(c) FROM t GROUP BY a HAVING a > 1",
    "SELECT b, max(c) FROM t GROUP BY a UNION SELECT 1, 2",
  ])("is none for %s", (sql) => {
    const query = outermostQuery(sql);
    expect(query && bareExtremeProbe(query, "b", { name: "max", of: "c" })).toBeNull();
  });
});
