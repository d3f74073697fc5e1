import { describe, expect, it } from "vitest";
import { outermostQuery } from "../../sql/outermost-query.ts";

describe("outermostQuery", () => {
  it("reads the clauses of the outermost select", () => {
    const query = outermostQuery(
      "; SELECT DISTINCT T1.a, count(*) AS n, max(b) top FROM t AS T1 WHERE c IN (SELECT c FROM u ORDER BY c LIMIT 9) GROUP BY T1.a, d HAVING n > 1 ORDER BY n DESC, T1.a LIMIT 3 OFFSET 2; SELECT 1",
    );
    expect(query?.distinct?.text).toBe("DISTINCT");
    expect(query?.items.map(({ text, alias }) => [text, alias])).toEqual([
      ["T1.a", null],
      ["count(*)", "n"],
      ["max(b)", "top"],
    ]);
    expect(query?.groupBy.map(({ text }) => text)).toEqual(["T1.a", "d"]);
    expect(query?.having.map(({ text }) => text)).toEqual(["n", ">", "1"]);
    expect(query?.orderBy.map(({ text, nullsFirst }) => [text, nullsFirst])).toEqual([
      ["n", false],
      ["T1.a", true],
    ]);
    expect(query?.limit).toEqual({ count: 3, offset: 2 });
    expect(query?.sql.slice(query.limitStart)).toBe("LIMIT 3 OFFSET 2");
    expect(query?.sql.slice(0, query.itemsEnd)).toBe("; SELECT DISTINCT T1.a, count(*) AS n, max(b) top");
    expect(query?.operators).toEqual([]);
  });

  it("takes ORDER BY and LIMIT of a compound query for the whole, the rest of its first select", () => {
    const query = outermostQuery(
      "SELECT a FROM t UNION ALL SELECT b FROM u GROUP BY b EXCEPT SELECT 1 ORDER BY 1",
    );
    expect(query?.operators).toEqual(["union all", "except"]);
    expect(query?.items.map(({ text }) => text)).toEqual(["a"]);
    expect(query?.groupBy).toEqual([]);
    expect(query?.orderBy.map(({ text }) => text)).toEqual(["1"]);
  });

  it("finds the main select behind common table expressions", () => {
    const query = outermostQuery("WITH x AS (SELECT a FROM t LIMIT 3) SELECT * FROM x ORDER BY a NULLS LAST");
    expect(query?.items.map(({ isStar }) => isStar)).toEqual([true]);
    expect(query?.limit).toBeNull();
    expect(query?.orderBy.map(({ nullsFirst }) => nullsFirst)).toEqual([false]);
  });

  it.each([
    ["LIMIT 2, 5", { count: 5, offset: 2 }],
    ["LIMIT -1", { count: -1, offset: 0 }],
    ["LIMIT 1 + 1", { count: null, offset: 0 }],
    ["LIMIT (SELECT 3) OFFSET 1", { count: null, offset: 1 }],
  ])("reads %s", (limit, expected) => {
    expect(outermostQuery(`SELECT a FROM t ${limit}`)?.limit).toEqual(expected);
  });

  it.each([
    ["CASE WHEN a THEN b END", null],
    ["a IS NULL", null],
    ["a COLLATE nocase", null],
    ["a + b", null],
    ["'x' \"y\"", "y"],
    ["CASE WHEN a THEN b END c", "c"],
    ["T1.\"a b\" 'it''s'", "it's"],
  ])("finds the alias in %s", (item, alias) => {
    expect(outermostQuery(`SELECT ${item} FROM t`)?.items[0]?.alias).toBe(alias);
  });

  it.each([
    "",
    ";",
    "VALUES (1)",
    "DELETE FROM t",
    "SELECT (a FROM t",
    "SELECT a) FROM t",
    "SELECT 'a",
    "(SELECT a)",
  ])("finds none in %j", (sql) => {
    expect(outermostQuery(sql)).toBeNull();
  });

  it("is not misled by IS DISTINCT FROM or by columns named like clauses", () => {
    const query = outermostQuery('SELECT a IS DISTINCT FROM b, T."order", T.limit FROM t AS T');
    expect(query?.items.map(({ text }) => text)).toEqual(["a IS DISTINCT FROM b", 'T."order"', "T.limit"]);
  });

  it.each([
    ["SELECT a FROM t WHERE b GROUP BY c LIMIT 1", "SELECT a FROM t WHERE b "],
    ["SELECT a FROM t ORDER BY b", "SELECT a FROM t "],
    ["SELECT a FROM t UNION SELECT b FROM u WHERE c", "SELECT a FROM t "],
    ["SELECT a FROM t NOT INDEXED WHERE b HAVING c", "SELECT a FROM t NOT INDEXED WHERE b "],
    ["SELECT a FROM t;", "SELECT a FROM t"],
    ["SELECT 1", "SELECT 1"],
  ])("tells where what makes the rows of %s ends", (sql, expected) => {
    const query = outermostQuery(sql);
    expect(query?.sql.slice(0, query.rowsEnd)).toBe(expected);
  });

  it.each(["WITH x AS (SELECT 1) VALUES (1) UNION SELECT 2", "VALUES (1) UNION ALL SELECT 2"])(
    "finds none where a compound query begins with values: %s",
    (sql) => {
      expect(outermostQuery(sql)).toBeNull();
    },
  );
});
