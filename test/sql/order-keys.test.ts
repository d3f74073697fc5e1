import { describe, expect, it } from "vitest";
import { keyedQuery } from "../../sql/order-keys.ts";
import { outermostQuery } from "../../sql/outermost-query.ts";

function keyed(sql: string, rows: number | null) {
  const query = outermostQuery(sql);
  return query === null ? null : keyedQuery(query, rows);
}

describe("keyedQuery", () => {
  it.each([
    ["SELECT a FROM t ORDER BY b DESC LIMIT 1", "SELECT a, b FROM t ORDER BY b DESC\nLIMIT 9", [-1], 1],
    [
      "SELECT a FROM t GROUP BY a ORDER BY count(*) DESC, 1 LIMIT 1;",
      "SELECT a, count(*), a FROM t GROUP BY a ORDER BY count(*) DESC, 1\nLIMIT 9",
      [-2, -1],
      2,
    ],
    [
      "SELECT a, sum(b) AS total FROM t GROUP BY a ORDER BY TOTAL -- most\n LIMIT 1",
      "SELECT a, sum(b) AS total, sum(b) FROM t GROUP BY a ORDER BY TOTAL -- most\nLIMIT 9",
      [-1],
      1,
    ],
    [
      "SELECT DISTINCT T.a FROM t ORDER BY T.A LIMIT 2",
      "SELECT DISTINCT T.a, T.A FROM t ORDER BY T.A\nLIMIT 9",
      [-1],
      1,
    ],
    ["SELECT * FROM t LIMIT 2", "SELECT * FROM t\nLIMIT 9", [], 0],
    [
      "SELECT a, b FROM t UNION SELECT c, d FROM u ORDER BY b LIMIT 2",
      "SELECT a, b FROM t UNION SELECT c, d FROM u ORDER BY b\nLIMIT 9",
      [1],
      0,
    ],
  ])("adds the order keys of %s", (sql, expected, keys, added) => {
    expect(keyed(sql, 9)).toEqual({ sql: expected, keys, added });
  });

  it("leaves a query without a limit unlimited", () => {
    expect(keyed("SELECT a FROM t ORDER BY b", null)?.sql).toBe("SELECT a, b FROM t ORDER BY b");
  });

  it.each([
    "SELECT DISTINCT a FROM t ORDER BY b",
    "SELECT a FROM t ORDER BY b COLLATE nocase",
    "SELECT a FROM t ORDER BY random()",
    "SELECT random() AS r FROM t ORDER BY r",
    "SELECT a AS b FROM t ORDER BY b + 1",
    "SELECT *, a FROM t ORDER BY 2",
    "SELECT * FROM t UNION SELECT * FROM u ORDER BY b",
    "SELECT a FROM t ORDER BY 2",
  ])("refuses %s", (sql) => {
    expect(keyed(sql, 9)).toBeNull();
  });
});
