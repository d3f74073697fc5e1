import { describe, expect, it } from "vitest";
import { outlineQuery } from "../../sql/query-scan.ts";
import { QueryTexts } from "../../sql/query-texts.ts";

function whole(sql: string): string {
  const texts = new QueryTexts(outlineQuery(sql), null);
  return texts.item({ start: 0, end: texts.units.length }).text;
}

describe("QueryTexts", () => {
  it.each([
    ["SELECT  A , B\tFROM T", "select a, b from t"],
    ["select COUNT( * ) from t", "select count(*) from t"],
    ["SELECT a FROM t WHERE b IN(1,2)", "select a from t where b in (?, ?)"],
    ["SELECT x.a FROM t AS x", "select a from t"],
    ["SELECT a AS b FROM t", "select a from t"],
    ["((a + 1))", "a + ?"],
    ["(a) + (b)", "(a) + (b)"],
    ["(SELECT 1)", "(select ?)"],
    ["SELECT a||'x' COLLATE NOCASE FROM t", "select a || ? collate nocase from t"],
    ["SELECT ?1, :name", "select ?1, :name"],
  ])("%s", (sql, expected) => {
    expect(whole(sql)).toBe(expected);
  });

  it("splits at commas outside of parentheses", () => {
    const texts = new QueryTexts(outlineQuery("a, f(b, c), , (d, e)"), null);
    const parts = texts.split({ start: 0, end: texts.units.length });
    expect(parts.map((part) => texts.item(part).text)).toEqual(["a", "f(b, c)", "", "d, e"]);
  });

  it("repeats no long expression in the place of its alias", () => {
    const long = `a ${"+ 1 ".repeat(40)}`;
    expect(whole(`SELECT ${long} AS s FROM t ORDER BY s`)).toMatch(/order by s$/);
    expect(whole("SELECT a + 1 AS s FROM t ORDER BY s")).toMatch(/order by a \+ \?$/);
  });
});
