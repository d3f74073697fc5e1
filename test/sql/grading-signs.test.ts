import { describe, expect, it } from "vitest";
import type { DatabaseSchema } from "../../core/database.ts";
import { gradingSigns } from "../../sql/grading-signs.ts";

const NO_TABLES: DatabaseSchema = { databaseId: "none", tables: [], foreignKeys: [] };
const signs = (sql: string) => gradingSigns(sql, NO_TABLES);

describe("gradingSigns", () => {
  it("has none for a text that is no SELECT", () => {
    expect(signs("DROP TABLE t")).toEqual({
      query: null,
      ordersRows: false,
      uniqueRows: false,
      clock: [],
      random: [],
      textInOrder: [],
      limitedSubqueries: [],
      bareColumns: [],
      extreme: null,
    });
  });

  it.each([
    ["SELECT DISTINCT a FROM t", true],
    ["SELECT a FROM t", false],
    ["SELECT DISTINCT a FROM t UNION ALL SELECT a FROM t", false],
    ["SELECT a FROM t UNION ALL SELECT a FROM t EXCEPT SELECT 1", true],
    ["SELECT a, count(*) FROM t GROUP BY a", true],
    ["SELECT a AS x, count(*) FROM t GROUP BY x", true],
    ["SELECT count(*), a FROM t GROUP BY 2", true],
    ["SELECT b FROM t GROUP BY a", false],
    ["SELECT a FROM t GROUP BY a, b", false],
    ["SELECT count(*) FROM t", false],
    ["SELECT count(DISTINCT a) FROM t", false],
  ])("tells whether rows are unique by the text: %s", (sql, expected) => {
    expect(signs(sql).uniqueRows).toBe(expected);
  });

  it.each([
    ["SELECT a FROM t WHERE d > date('now')", ["date('now')"]],
    ["SELECT a FROM t WHERE d > date('NOW', '-1 year')", ["date('now')"]],
    ['SELECT strftime("%Y", "now")', ["strftime('now')"]],
    [
      "SELECT strftime('%Y'), date(), CURRENT_TIMESTAMP",
      ["CURRENT_TIMESTAMP", "strftime('now')", "date('now')"],
    ],
    ["SELECT a FROM (SELECT a FROM t WHERE d < current_date)", ["CURRENT_DATE"]],
    ["SELECT strftime('%Y', d), date(d), 'now', t.current_date FROM t", []],
  ])("finds the clock in %s", (sql, expected) => {
    expect(signs(sql).clock).toEqual(expected);
  });

  it("finds random functions, not columns of their name", () => {
    expect(signs("SELECT a FROM t ORDER BY RANDOM() LIMIT 1").random).toEqual(["random()"]);
    expect(signs("SELECT random FROM t").random).toEqual([]);
  });

  it.each([
    ["SELECT a, count(*) FROM t GROUP BY a", []],
    ["SELECT b, count(*) FROM t GROUP BY a", ["b"]],
    ["SELECT T.a FROM t AS T GROUP BY a", []],
    ["SELECT T1.name FROM t AS T1 JOIN u AS T2 ON 1 GROUP BY T2.name", ["T1.name"]],
    ["SELECT upper(b) FROM t GROUP BY a ORDER BY c, count(*)", ["b", "c"]],
    ["SELECT b, count(*) FROM t", ["b"]],
    ["SELECT b FROM t", []],
    ["SELECT b, max(c) FROM t GROUP BY a", ["b"]],
    ["SELECT b, max(c), min(c) FROM t GROUP BY a", ["b"]],
    ["SELECT a + 1 AS x FROM t GROUP BY x", []],
    ["SELECT CASE WHEN b THEN 'x' ELSE NULL END FROM t GROUP BY a", ["b"]],
    ["SELECT CAST(b AS integer) FROM t GROUP BY a", ["b"]],
    ["SELECT (SELECT c FROM u), count(*) FROM t GROUP BY a", []],
    ["SELECT sum(a) OVER (PARTITION BY b) FROM t", []],
    ["SELECT b FROM t GROUP BY a UNION SELECT 1", []],
  ])("finds bare columns in %s", (sql, expected) => {
    expect(signs(sql).bareColumns).toEqual(expected);
  });

  it.each([
    ["SELECT b, max(c + 1) FROM t GROUP BY a ORDER BY MAX(C + 1)", { name: "max", of: "C + 1" }],
    ["SELECT b, count(*), min(c) FROM t", { name: "min", of: "c" }],
    ["SELECT b, max(c), min(c) FROM t GROUP BY a", null],
    ["SELECT max(c) FROM t GROUP BY a", null],
    ["SELECT b, max(c, d) FROM t GROUP BY a", null],
  ])("finds the only minimum or maximum beside bare columns: %s", (sql, expected) => {
    expect(signs(sql).extreme).toEqual(expected);
  });

  it("finds subqueries with a limit", () => {
    const found = signs(
      "WITH x AS (SELECT a FROM t LIMIT 2) SELECT a FROM x WHERE a > (SELECT max(a) FROM t) AND a IN (SELECT b FROM u ORDER BY c LIMIT 1) LIMIT 5",
    ).limitedSubqueries;
    expect(found.map(({ sql }) => sql)).toEqual([
      "SELECT a FROM t LIMIT 2",
      "SELECT b FROM u ORDER BY c LIMIT 1",
    ]);
  });
});
