import { describe, expect, it } from "vitest";
import { closeOperators, dropDistinct, fixYear, mentionsOrder } from "../../sql/test-suite-rewrite.ts";

describe("closeOperators", () => {
  it("closes up operators everywhere, with one space only", () => {
    expect(closeOperators("a > = 1 AND b < = 2 AND c ! = '> =' AND d >  = 3")).toBe(
      "a >= 1 AND b <= 2 AND c != '>=' AND d >  = 3",
    );
  });
});

describe("dropDistinct", () => {
  it.each([
    ["SELECT DISTINCT a FROM t", "SELECT  a FROM t"],
    ["SELECT count(distinct a) FROM t", "SELECT count( a) FROM t"],
    [
      "SELECT a FROM t WHERE b IN (SELECT DiStInCt c FROM u)",
      "SELECT a FROM t WHERE b IN (SELECT  c FROM u)",
    ],
    ["SELECT DISTINCT(a) FROM t", "SELECT (a) FROM t"],
    [
      "SELECT 'DISTINCT', \"distinct\", `distinct`, [distinct]",
      "SELECT 'DISTINCT', \"distinct\", `distinct`, [distinct]",
    ],
    ["SELECT distinct_a, a /* distinct */ -- distinct", "SELECT distinct_a, a /* distinct */ -- distinct"],
    ["SELECT DISTINCT a; DROP TABLE t", "SELECT  a; "],
    ["SELECT a FROM t;", "SELECT a FROM t;"],
  ])("%s", (sql, expected) => {
    expect(dropDistinct(sql)).toBe(expected);
    expect(dropDistinct(sql)).toBe(expected);
  });

  it("has no statement for a blank text", () => {
    expect(dropDistinct("")).toBeNull();
    expect(dropDistinct(" \n")).toBeNull();
    expect(dropDistinct(";")).toBe(";");
  });

  it("leaves a text that is too long to run", () => {
    const sql = `SELECT DISTINCT '${"a".repeat(1_000_000)}'`;
    expect(dropDistinct(sql)).toBe(sql);
  });
});

describe("fixYear", () => {
  it("takes the white space behind it along", () => {
    expect(fixYear("SELECT year ( curdate( ) ) - born, YEAR(CURDATE()) FROM t")).toBe(
      "SELECT 2020- born, 2020FROM t",
    );
    expect(fixYear("SELECT YEAR(born)")).toBe("SELECT YEAR(born)");
  });
});

describe("mentionsOrder", () => {
  it.each([
    ["SELECT a FROM t ORDER BY a", true],
    ["SELECT a FROM t Order By a", true],
    ["SELECT a FROM (SELECT a FROM t ORDER BY a) WHERE b", true],
    ["SELECT 'order by'", true],
    ["SELECT a FROM t ORDER  BY a", false],
    ["SELECT a FROM t ORDER\nBY a", false],
    ["SELECT a FROM t", false],
  ])("%s", (sql, expected) => {
    expect(mentionsOrder(sql)).toBe(expected);
  });
});
