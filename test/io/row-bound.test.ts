import { describe, expect, it } from "vitest";
import { joinedTables } from "../../io/row-bound.ts";

describe("joinedTables", () => {
  it.each<[number, string]>([
    [1, "SELECT a, b FROM t"],
    [1, "select count(*) from t where x in (select y from u, v) order by a, b;"],
    [2, "SELECT t.a FROM t JOIN u ON t.id = u.id WHERE t.b = 1"],
    [3, "SELECT * FROM t AS a LEFT JOIN t AS b ON a.x = b.x JOIN u LIMIT 3"],
    [0, "SELECT 1"],
    [0, "SELECT * FROM t, u"],
    [0, "SELECT * FROM (SELECT 1) JOIN t"],
    [0, "SELECT * FROM json_each('[1,2]')"],
    [0, "SELECT a FROM t UNION ALL SELECT a FROM t"],
    [0, "SELECT (SELECT a FROM u), b FROM t, v"],
    [0, "SELECT extract(a from b) FROM t"],
    [0, "WITH RECURSIVE r(i) AS (SELECT 1) SELECT i FROM r"],
    [0, "VALUES (1)"],
    [0, "SELECT a FROM t -- WHERE\n, u"],
  ])("is %i for %s", (tables, sql) => {
    expect(joinedTables(sql)).toBe(tables);
  });
});
