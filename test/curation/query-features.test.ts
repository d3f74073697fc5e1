import { expect, it } from "vitest";
import { queryFeatures } from "../../curation/query-features.ts";

it.each([
  ["SELECT count(*) FROM singer", ["one table", "aggregate"]],
  [
    "SELECT name FROM ferry WHERE built > 1990 OR name LIKE 'A%'",
    ["one table", "or", "like", "no clause beyond select and where"],
  ],
  [
    "SELECT T1.a FROM t AS T1 JOIN u AS T2 ON T1.i = T2.i WHERE T1.x > (SELECT avg(x) FROM t) ORDER BY 1 LIMIT 3",
    ["two tables", "subquery", "aggregate", "order by", "limit"],
  ],
  ["SELECT a FROM t EXCEPT SELECT b FROM u WHERE x IS NOT NULL", ["two tables", "set operation", "is null"]],
  [
    "WITH c AS (SELECT 1) SELECT DISTINCT * FROM c LEFT JOIN t ON 1 = 1 JOIN u",
    ["three tables or more", "outer join", "common table expression", "distinct"],
  ],
  [
    "SELECT a, rank() OVER (ORDER BY b) FROM t GROUP BY a HAVING count(*) > 1",
    ["one table", "aggregate", "group by", "having", "window"],
  ],
  [
    "SELECT CASE WHEN a IN (1, 2) THEN 1 END FROM t WHERE b BETWEEN 1 AND 2",
    ["one table", "in", "between", "case"],
  ],
  ["not SQL at all", []],
])("%s", (sql, features) => {
  expect(queryFeatures(sql)).toEqual(features);
});
