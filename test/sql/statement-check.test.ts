import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { StatementKind, StatementMode, StatementRefusal } from "../../sql/statement-check.ts";
import { checkStatement, selectsFromSchemaTable } from "../../sql/statement-check.ts";

/** The kind of an accepted statement, else the reason of the refusal. */
function verdict(sql: string, mode: StatementMode = "query"): StatementKind | StatementRefusal {
  const check = checkStatement(sql, mode);
  return check.ok ? check.kind : check.reason;
}

describe("checkStatement", () => {
  it.each<readonly [string, StatementKind]>([
    ["SELECT 1", "select"],
    ["select 1;", "select"],
    ["/* */SELECT 1", "select"],
    ["-- c\nSELECT 1", "select"],
    ["\uFEFFSELECT 1", "select"],
    [" \uFEFF SELECT 1", "select"],
    ["SELECT '; DROP TABLE t'", "select"],
    ['SELECT ";"', "select"],
    ["SELECT [;] FROM t", "select"],
    ["SELECT/**/1", "select"],
    ["SELECT replace(a, 'x', 'y') FROM t", "select"],
    ["SELECT 1 /* never closed; DROP", "select"],
    ["VALUES (1), (2)", "values"],
    ["WITH a AS (SELECT 1) SELECT * FROM a", "with"],
    [
      "WITH RECURSIVE a(x, y) AS MATERIALIZED (SELECT 1, 2), b AS NOT MATERIALIZED (SELECT 3) VALUES (4)",
      "with",
    ],
    ["WITH replace AS (SELECT 1) SELECT * FROM replace", "with"],
    ["WITH 'a' AS (SELECT 1), \"delete\" AS (SELECT ')') SELECT 1", "with"],
    ["EXPLAIN SELECT 1", "explain"],
    ["EXPLAIN QUERY PLAN SELECT 1", "explain"],
    ["EXPLAIN VALUES (1)", "explain"],
    ["explain query plan with a as (select 1) select * from a", "explain"],
  ])("accepts %j as %s", (sql, kind) => {
    expect(verdict(sql)).toBe(kind);
    expect(verdict(sql, "explore")).toBe(kind);
  });

  it.each<readonly [string, StatementKind | StatementRefusal]>([
    ["SELECT 1; ", "select"],
    ["SELECT 1 ;\r\n\t\f ", "select"],
    ["SELECT 1; -- c", "select"],
    ["SELECT 1; -- c\r x", "select"],
    ["SELECT 1; /* c */ -- d", "select"],
    ["SELECT 1; /* never closed", "select"],
    ["SELECT 1; /*", "select"],
    ["SELECT 1 -- c\n; -- d", "select"],
    [";SELECT 1", "select"],
    [" ; /* c */ ; SELECT 1", "select"],
    ["", "empty"],
    [" \n", "empty"],
    ["\uFEFF", "empty"],
    [";", "empty"],
    ["; ;", "empty"],
    ["-- c only", "empty"],
    ["-- c\n;", "empty"],
    ["/* c */", "empty"],
    ["/* never closed", "empty"],
    ["SELECT 1;;", "multiple_statements"],
    ["SELECT 1; ; ", "multiple_statements"],
    ["SELECT 1; /* c */ ;", "multiple_statements"],
    ["SELECT 1; -- c\n;", "multiple_statements"],
    ["SELECT 1; x", "multiple_statements"],
    ["SELECT 1;-", "multiple_statements"],
    ["SELECT 1; SELECT 2", "multiple_statements"],
    ["SELECT 1; 'never closed", "multiple_statements"],
    ["SELECT 1;\v", "multiple_statements"],
    ["SELECT 1; \v", "multiple_statements"],
    ["SELECT 1;\uFEFF", "multiple_statements"],
    ["SELECT 1;\u00A0", "multiple_statements"],
    ["SELECT 1;```", "multiple_statements"],
    [";SELECT 1; SELECT 2", "multiple_statements"],
    ["SELECT 1\0", "nul_character"],
    ["SELECT 'a\0b'", "nul_character"],
    ["SELECT 1; -- c\0", "nul_character"],
    ["\0", "nul_character"],
  ])("finds the end of the statement as Python's sqlite3 does: %j is %s", (sql, expected) => {
    expect(verdict(sql)).toBe(expected);
  });

  it.each([
    "SEL/**/ECT 1",
    "SELECT\uFEFF 1",
    "SELECTé 1",
    '"SELECT" 1',
    "(SELECT 1)",
    "/*",
    "x",
    "INSERT INTO t VALUES (1)",
    "REPLACE INTO t VALUES (1)",
    "UPDATE t SET a = 1",
    "DELETE FROM t",
    "DROP TABLE t",
    "CREATE TABLE t AS SELECT 1",
    "ATTACH 'a' AS b",
    "VACUUM INTO 'x'",
    "BEGIN",
    "ANALYZE",
    "WITH x AS (SELECT 1) DELETE FROM t",
    "WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x",
    "WITH x AS (SELECT 1) UPDATE t SET a = 1",
    "WITH x AS (SELECT 1), y AS (SELECT 2) REPLACE INTO t SELECT 1",
    "WITH select AS (SELECT 1)",
    "WITH x AS SELECT 1",
    "WITH x (SELECT 1) SELECT 1",
    "WITH x AS (SELECT 1 SELECT 2",
    "WITH",
    "EXPLAIN",
    "EXPLAIN QUERY SELECT 1",
    "EXPLAIN EXPLAIN SELECT 1",
    "EXPLAIN DELETE FROM t",
    "EXPLAIN QUERY PLAN WITH x AS (SELECT 1) DELETE FROM t",
    "\vSELECT 1",
  ])("refuses %j as no query", (sql) => {
    expect(verdict(sql)).toBe("not_a_query");
    expect(verdict(sql, "explore")).toBe("not_a_query");
  });

  it.each(["SELECT 'a", 'SELECT "a', "SELECT `a``", "SELECT [a", "SELECT x'ab", "SELECT '; SELECT 1", "'"])(
    "refuses %j as unterminated",
    (sql) => {
      expect(verdict(sql)).toBe("unterminated");
    },
  );

  it.each([
    "PRAGMA table_info(x)",
    "pragma TABLE_INFO ( 'a b' ) ;",
    'PRAGMA table_xinfo("x")',
    "PRAGMA main.table_info([x])",
    "PRAGMA/**/table_info(x)",
    "PRAGMA foreign_key_list(`x`)",
    "PRAGMA index_list(x)",
    "PRAGMA index_info(x) -- c",
    "PRAGMA table_list",
    "PRAGMA main.table_list(x)",
  ])("accepts %j only where the schema is explored", (sql) => {
    expect(verdict(sql, "explore")).toBe("pragma");
    expect(verdict(sql, "query")).toBe("pragma_not_allowed");
  });

  it.each([
    "PRAGMA",
    "PRAGMA table_info",
    "PRAGMA table_info()",
    "PRAGMA table_info(x, y)",
    "PRAGMA table_info(-1)",
    "PRAGMA table_info(1)",
    "PRAGMA table_info(x",
    "PRAGMA table_info(main.x)",
    "PRAGMA table_info = x",
    "PRAGMA table_info(x) y",
    'PRAGMA "table_info"(x)',
    "PRAGMA temp.table_info(x)",
    "PRAGMA other.table_list",
    "PRAGMA main.main.table_info(x)",
    "PRAGMA journal_mode(delete)",
    "PRAGMA writable_schema = ON",
    "PRAGMA case_sensitive_like(1)",
    "PRAGMA database_list",
    "PRAGMA query_only",
    "EXPLAIN PRAGMA table_info(x)",
    "EXPLAIN QUERY PLAN PRAGMA table_info(x)",
  ])("refuses %j in both modes", (sql) => {
    expect(verdict(sql, "explore")).toBe("pragma_not_allowed");
    expect(verdict(sql, "query")).toBe("pragma_not_allowed");
  });

  it("refuses a statement longer than the limit", () => {
    expect(checkStatement("SELECT 12", "query", 8)).toEqual({
      ok: false,
      reason: "too_long",
      message: "The statement has 9 characters; at most 8 are accepted.",
    });
    expect(checkStatement("SELECT 1", "query", 8).ok).toBe(true);
    expect(verdict(`SELECT 1${" ".repeat(1_000_000)}`)).toBe("too_long");
  });

  it("says what it found", () => {
    expect(checkStatement("SELECT 1; SELECT 2", "query")).toMatchObject({
      message: 'One statement is accepted, but after its ";" comes "SELECT 2".',
    });
    expect(checkStatement("SELECT 'abc", "query")).toMatchObject({
      message: '"\'abc" at offset 7 has no closing quote.',
    });
  });

  it("accepts no text whose first word is another verb", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("DELETE", "drop", "Insert", "update", "ATTACH"),
        fc.string(),
        (verb, rest) => {
          expect(checkStatement(`${verb} ${rest}`, "explore").ok).toBe(false);
        },
      ),
    );
  });
});

describe("selectsFromSchemaTable", () => {
  it.each([
    "SELECT sql FROM sqlite_master",
    "select * from main.SQLITE_SCHEMA",
    'SELECT * FROM t JOIN "sqlite_master" AS m',
    "SELECT * FROM [sqlite_schema]",
    "SELECT * FROM 'sqlite_master'",
    "SELECT * FROM main.'sqlite_master'",
    "WITH a AS (SELECT * FROM sqlite_temp_master) SELECT * FROM a",
    "SELECT name FROM pragma_table_info('t')",
    "PRAGMA table_info(t)",
    "; PRAGMA table_list",
    "EXPLAIN QUERY PLAN PRAGMA table_list",
  ])("says yes to %j", (sql) => {
    expect(selectsFromSchemaTable(sql)).toBe(true);
  });

  it.each([
    "SELECT * FROM t",
    "SELECT 'sqlite_master'",
    "SELECT * FROM t WHERE name = 'sqlite_master' -- sqlite_master",
    "SELECT sqlite_masters, pragma, pragma_x FROM t",
    "",
  ])("says no to %j", (sql) => {
    expect(selectsFromSchemaTable(sql)).toBe(false);
  });
});
