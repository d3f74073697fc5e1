/** What is expected of some clauses of a text: items as `text` or `text <- literal literal`. */
export interface ClauseCase {
  readonly sql: string;
  readonly expected: Readonly<Record<string, readonly string[]>>;
}

/** Cases that are read without a schema. */
export const CLAUSE_CASES: readonly ClauseCase[] = [
  { sql: "SELECT Name FROM Ferry", expected: { select: ["name"], from: ["ferry"], where: [], joins: [] } },
  { sql: "select f.NAME from ferry f", expected: { select: ["name"], from: ["ferry"] } },
  { sql: "SELECT ferry.name FROM ferry", expected: { select: ["name"] } },
  { sql: "SELECT main.ferry.name FROM main.ferry", expected: { select: ["name"], from: ["ferry"] } },
  { sql: 'SELECT "Name" FROM [Ferry]', expected: { select: ["name"], from: ["ferry"] } },
  { sql: "SELECT `home port` FROM ferry", expected: { select: ['"home port"'] } },
  { sql: 'SELECT "order" FROM t', expected: { select: ['"order"'] } },
  {
    sql: "SELECT m.a FROM Match AS m, end WHERE m.a MATCH 'x'",
    expected: { from: ["match", "end"], select: ["match.a"], where: ["match.a match ? <- 'x'"] },
  },
  { sql: "SELECT * FROM ferry", expected: { select: ["*"] } },
  { sql: "SELECT f.* FROM ferry f, crossing", expected: { select: ["ferry.*"] } },
  {
    sql: "SELECT DISTINCT name, built FROM ferry",
    expected: { select: ["name", "built"], distinct: ["yes"] },
  },
  { sql: "SELECT ALL name FROM ferry", expected: { select: ["name"], distinct: [] } },
  {
    sql: "SELECT count(DISTINCT name) FROM ferry",
    expected: { select: ["count(distinct name)"], distinct: [], aggregates: ["count(distinct name)"] },
  },
  { sql: "SELECT count(*) AS n FROM ferry ORDER BY n DESC", expected: { orderBy: ["count(*) desc"] } },
  { sql: "SELECT count(*) n FROM ferry HAVING n > 3", expected: { having: ["count(*) > ? <- 3"] } },
  { sql: "SELECT built / 10 decade FROM ferry GROUP BY decade", expected: { groupBy: ["built / ? <- 10"] } },
  { sql: "SELECT name AS 'the name' FROM ferry", expected: { select: ["name"], literals: [] } },
  {
    sql: "SELECT (name) FROM ferry WHERE ((built) > 3)",
    expected: { select: ["name"], where: ["(built) > ? <- 3"] },
  },
  {
    sql: "SELECT name FROM ferry WHERE name = 'select from where'",
    expected: { where: ["name = ? <- 'select from where'"], from: ["ferry"] },
  },
  { sql: "SELECT a FROM t WHERE b = 'it''s; -- no'", expected: { where: ["b = ? <- 'it''s; -- no'"] } },
  { sql: 'SELECT a FROM t WHERE b = "Bob"', expected: { where: ["b = ? <- 'Bob'"] } },
  { sql: 'SELECT a FROM t WHERE b IN ("x", "y")', expected: { where: ["b in (?, ?) <- 'x' 'y'"] } },
  {
    sql: 'SELECT a FROM t WHERE b BETWEEN "x" AND "y"',
    expected: { where: ["b between ? and ? <- 'x' 'y'"] },
  },
  { sql: "SELECT a FROM t WHERE b == 1 AND c <> 2", expected: { where: ["b = ? <- 1", "c != ? <- 2"] } },
  { sql: "SELECT a FROM t WHERE b = -5", expected: { where: ["b = - ? <- 5"] } },
  { sql: "SELECT a FROM t WHERE b = X'0A' OR c = 1_000", expected: { literals: ["x'0a'", "1000"] } },
  {
    sql: "SELECT a FROM t WHERE b = 1 AND (c = 2 OR d = 3)",
    expected: { where: ["b = ? <- 1", "c = ? <- 2", "d = ? <- 3", "shape: (_ or _) and _"] },
  },
  {
    sql: "SELECT a FROM t WHERE (b = 1 AND c = 2) OR d = 3",
    expected: { where: ["b = ? <- 1", "c = ? <- 2", "d = ? <- 3", "shape: (_ and _) or _"] },
  },
  {
    sql: "SELECT a FROM t WHERE ((b = 1) AND ((c = 2) AND d))",
    expected: { where: ["b = ? <- 1", "c = ? <- 2", "d"] },
  },
  { sql: "SELECT a FROM t WHERE NOT (b = 1 OR c)", expected: { where: ["not (b = ? or c) <- 1"] } },
  {
    sql: "SELECT a FROM t WHERE b BETWEEN 1 AND 2 AND c BETWEEN 3 AND 4",
    expected: { where: ["b between ? and ? <- 1 2", "c between ? and ? <- 3 4"] },
  },
  {
    sql: "SELECT a FROM t WHERE CASE WHEN b AND c THEN 1 ELSE 0 END AND d",
    expected: { where: ["case when b and c then ? else ? end <- 1 0", "d"] },
  },
  {
    sql: "SELECT CASE b WHEN 1 THEN 'x' END AS k FROM t",
    expected: { select: ["case b when ? then ? end <- 1 'x'"] },
  },
  {
    sql: "SELECT a FROM t WHERE b IS NOT DISTINCT FROM c",
    expected: { where: ["b is not distinct from c"], from: ["t"] },
  },
  {
    sql: "SELECT a FROM t WHERE b LIKE '%a%' ESCAPE '!'",
    expected: { where: ["b like ? escape ? <- '%a%' '!'"] },
  },
  {
    sql: "SELECT f.name FROM ferry AS f JOIN crossing AS c ON c.ferry_id = f.id",
    expected: {
      from: ["ferry", "crossing"],
      joins: ["on crossing.ferry_id = ferry.id"],
      select: ["ferry.name"],
    },
  },
  {
    sql: "SELECT 1 FROM ferry f INNER JOIN crossing c ON f.id = c.ferry_id AND c.fare > 5",
    expected: { joins: ["on crossing.ferry_id = ferry.id", "on crossing.fare > ? <- 5"] },
  },
  {
    sql: "SELECT 1 FROM ferry f LEFT OUTER JOIN crossing c ON f.id = c.ferry_id",
    expected: { joins: ["left join crossing on crossing.ferry_id = ferry.id"] },
  },
  { sql: "SELECT 1 FROM ferry CROSS JOIN crossing", expected: { from: ["ferry", "crossing"], joins: [] } },
  {
    sql: "SELECT 1 FROM ferry NATURAL LEFT JOIN crossing",
    expected: { joins: ["natural left join crossing"] },
  },
  { sql: "SELECT 1 FROM crossing JOIN captain USING (Ferry_ID)", expected: { joins: ["using ferry_id"] } },
  {
    sql: "SELECT 1 FROM ferry f, crossing c WHERE f.id = c.ferry_id",
    expected: { from: ["ferry", "crossing"], joins: [], where: ["crossing.ferry_id = ferry.id"] },
  },
  {
    sql: "SELECT 1 FROM ferry f JOIN (crossing c JOIN captain k ON k.ferry_id = c.ferry_id) ON c.ferry_id = f.id",
    expected: {
      from: ["ferry", "crossing", "captain"],
      joins: ["on captain.ferry_id = crossing.ferry_id", "on crossing.ferry_id = ferry.id"],
    },
  },
  {
    sql: "SELECT a.name FROM ferry a JOIN ferry b ON a.built < b.built",
    expected: { select: ["ferry.name"], joins: ["on ferry.built < ferry#2.built"], tables: ["ferry"] },
  },
  {
    sql: "SELECT x.n FROM (SELECT count(*) AS n FROM ferry WHERE built > 1990) AS x",
    expected: {
      select: ["n"],
      from: ["(select count(*) as n from ferry where built > ?) <- 1990"],
      where: [],
    },
  },
  {
    sql: "SELECT name FROM ferry f WHERE id IN (SELECT ferry_id FROM crossing c WHERE c.fare > 3) AND built = 1",
    expected: { where: ["id in (select ferry_id from crossing where fare > ?) <- 3", "built = ? <- 1"] },
  },
  {
    sql: "SELECT name FROM ferry f WHERE built > (SELECT avg(built) FROM ferry g WHERE g.id != f.id)",
    expected: { where: ["built > (select avg(built) from ferry where id != ^ferry.id)"] },
  },
  {
    sql: "SELECT 1 FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.a IN (SELECT b FROM v ORDER BY b LIMIT 2))",
    expected: { orderBy: [], limit: [], tables: ["t", "u", "v"], from: ["t"] },
  },
  {
    sql: "WITH busy AS (SELECT ferry_id FROM crossing) SELECT name FROM ferry JOIN busy ON busy.ferry_id = id",
    expected: {
      with: ["#1 as (select ferry_id from crossing)"],
      from: ["ferry", "#1"],
      joins: ["on #1.ferry_id = id"],
      tables: ["crossing", "ferry"],
    },
  },
  {
    sql: "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 9) SELECT n FROM c",
    expected: {
      with: ["#1 (n) as (select ? union all select n + ? from #1 where n < ?) <- 1 1 9"],
      from: ["#1"],
      tables: [],
      setOperations: [],
    },
  },
  {
    sql: "WITH a AS (SELECT 1), b AS MATERIALIZED (SELECT * FROM a) SELECT * FROM b",
    expected: { with: ["#1 as (select ?) <- 1", "#2 as materialized (select * from #1)"], from: ["#2"] },
  },
  {
    sql: "SELECT a FROM t WHERE x UNION ALL SELECT b FROM u WHERE y ORDER BY 1 LIMIT 5",
    expected: {
      select: ["a", "b"],
      from: ["t", "u"],
      where: ["x", "y"],
      orderBy: ["? <- 1"],
      limit: ["? <- 5"],
      setOperations: ["union all"],
    },
  },
  {
    sql: "SELECT a FROM t INTERSECT SELECT a FROM u EXCEPT SELECT a FROM v UNION SELECT 1",
    expected: { setOperations: ["intersect", "except", "union"] },
  },
  {
    sql: "SELECT a FROM t ORDER BY a ASC, b DESC NULLS LAST, length(c), d desc",
    expected: { orderBy: ["a", "b nulls last desc", "length(c)", "d desc"] },
  },
  { sql: "SELECT a FROM t LIMIT 5 OFFSET 10", expected: { limit: ["? offset ? <- 5 10"] } },
  { sql: "SELECT a FROM t LIMIT 10, 5", expected: { limit: ["?, ? <- 10 5"] } },
  {
    sql: "SELECT rank() OVER (PARTITION BY a ORDER BY b DESC) AS r, sum(c) OVER w FROM t WINDOW w AS (ORDER BY d)",
    expected: {
      select: ["rank() over (partition by a order by b desc)", "sum(c) over w"],
      orderBy: [],
      window: ["w as (order by d)"],
      aggregates: [],
      functions: ["rank", "sum"],
    },
  },
  {
    sql: "SELECT group_concat(a, ', ' ORDER BY b) FROM t",
    expected: { select: ["group_concat(a, ? order by b) <- ', '"], orderBy: [] },
  },
  { sql: "SELECT max(a, b), max(c) FROM t", expected: { aggregates: ["max(c)"], functions: ["max"] } },
  {
    sql: "SELECT CAST(a AS REAL) / 2 FROM t",
    expected: { select: ["cast (a as real) / ? <- 2"], functions: [] },
  },
  { sql: "SELECT a -- FROM x\nFROM t /* WHERE b */ WHERE c", expected: { from: ["t"], where: ["c"] } },
  { sql: "SELECT a FROM t;", expected: { from: ["t"], where: [], limit: [] } },
  {
    sql: "SELECT a FROM t GROUP BY b, c HAVING sum(d) > 1 AND e",
    expected: { groupBy: ["b", "c"], having: ["sum(d) > ? <- 1", "e"] },
  },
  {
    sql: "SELECT value FROM json_each('[1]') AS j",
    expected: { from: ["json_each(?) <- '[1]'"], tables: [] },
  },
  { sql: "(SELECT a FROM t)", expected: { select: ["a"], from: ["t"] } },
  { sql: "VALUES (1, 2)", expected: { select: [], from: [], literals: ["1", "2"] } },
  { sql: "", expected: { select: [], from: [], where: [], literals: [], tables: [] } },
  { sql: "SELECT", expected: { select: [] } },
  { sql: "SELECT FROM WHERE", expected: { select: [], from: [], where: [] } },
  { sql: "SELECT a FROM t WHERE b = 'open", expected: { select: ["a"], from: ["t"] } },
  { sql: "SELECT a, (b FROM t", expected: { from: [] } },
  { sql: ")) SELECT a FROM t", expected: { select: ["a"], from: ["t"] } },
];

/** Cases that are read with the ferries' schema. */
export const SCHEMA_CASES: readonly ClauseCase[] = [
  {
    sql: "SELECT built, fare FROM ferry JOIN crossing ON id = ferry_id",
    expected: { select: ["ferry.built", "crossing.fare"], joins: ["on crossing.ferry_id = ferry.id"] },
  },
  { sql: 'SELECT name FROM ferry WHERE name = "Aurora"', expected: { where: ["name = ? <- 'Aurora'"] } },
  { sql: 'SELECT name FROM ferry WHERE "Aurora" = name', expected: { where: ["? = name <- 'Aurora'"] } },
  { sql: 'SELECT "home port" FROM ferry', expected: { select: ['"home port"'], literals: [] } },
  { sql: 'SELECT "no column" FROM ferry', expected: { select: ["? <- 'no column'"] } },
  {
    sql: "SELECT name FROM ferry WHERE id IN (SELECT ferry_id FROM crossing WHERE fare > built)",
    expected: { where: ["id in (select ferry_id from crossing where fare > ferry.built)"] },
  },
  {
    sql: "SELECT count(*) AS built FROM ferry GROUP BY built ORDER BY built",
    expected: { groupBy: ["built"], orderBy: ["count(*)"] },
  },
  { sql: "SELECT id FROM ferry WHERE nothing = 1", expected: { where: ["nothing = ? <- 1"] } },
];
