import { describe, expect, it } from "vitest";
import { ordersRows } from "../../sql/row-order.ts";

describe("ordersRows", () => {
  it.each([
    "SELECT a FROM t ORDER BY a",
    "select a from t order\n\tby a desc limit 1",
    "SELECT a FROM t Order /* by what? */ By a;",
    "SELECT a FROM t UNION SELECT b FROM u ORDER BY 1",
    "WITH x AS (SELECT a FROM t) SELECT a FROM x ORDER BY (SELECT 1)",
    "SELECT (SELECT max(b) FROM u) FROM t ORDER BY a",
  ])("sees it: %s", (sql) => {
    expect(ordersRows(sql)).toBe(true);
  });

  it.each([
    "SELECT a FROM t",
    "SELECT a FROM (SELECT a FROM t ORDER BY a LIMIT 3)",
    "SELECT a FROM t WHERE a IN (SELECT a FROM u ORDER BY a LIMIT 3)",
    "WITH x AS (SELECT a FROM t ORDER BY a) SELECT a FROM x",
    "SELECT row_number() OVER (ORDER BY a) FROM t",
    "SELECT group_concat(a ORDER BY a) FROM t",
    "SELECT a FROM t WHERE b = 'ORDER BY a'",
    'SELECT "order" FROM t GROUP BY a',
    'SELECT a "order" FROM t',
    "SELECT a FROM t -- ORDER BY a",
    "SELECT a FROM [order by]",
    "ORDER",
    "",
  ])("does not see it: %s", (sql) => {
    expect(ordersRows(sql)).toBe(false);
  });
});
