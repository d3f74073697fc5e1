import { describe, expect, it } from "vitest";
import { outlineQuery } from "../../sql/query-scan.ts";

/** The clauses of each SELECT, as its text has them. */
function clauses(sql: string): Record<string, string>[] {
  const { scopes, tokens } = outlineQuery(sql);
  return scopes.map((scope) =>
    Object.fromEntries(
      [...scope.clauses].map(([name, { start, end }]) => [
        name,
        end > start ? sql.slice(tokens[start]?.start, tokens[end - 1]?.end) : "",
      ]),
    ),
  );
}

function sources(sql: string): string[] {
  return outlineQuery(sql).scopes.flatMap((scope) =>
    scope.sources.map((source) =>
      [source.join, source.kind, source.name, source.alias].filter(Boolean).join(" "),
    ),
  );
}

describe("outlineQuery", () => {
  it("finds each SELECT and its clauses", () => {
    const sql =
      "SELECT a, (SELECT b FROM u LIMIT 1) FROM t WHERE c GROUP BY d HAVING e WINDOW w AS (ORDER BY f) ORDER BY g LIMIT 2;";
    expect(clauses(sql)).toEqual([
      {
        select: "a, (SELECT b FROM u LIMIT 1)",
        from: "t",
        where: "c",
        group: "d",
        having: "e",
        window: "w AS (ORDER BY f)",
        order: "g",
        limit: "2",
      },
      { select: "b", from: "u", limit: "1" },
    ]);
  });

  it("ends a SELECT at a set operation, a semicolon and its parenthesis", () => {
    expect(clauses("SELECT a FROM t UNION SELECT b FROM u; SELECT c")).toEqual([
      { select: "a", from: "t" },
      { select: "b", from: "u" },
      { select: "c" },
    ]);
  });

  it("does not take names for clauses", () => {
    expect(clauses("SELECT t.from, t.where FROM t")).toEqual([{ select: "t.from, t.where", from: "t" }]);
    expect(clauses("SELECT window FROM t ORDER BY group")).toEqual([
      { select: "window", from: "t", order: "group" },
    ]);
  });

  it("finds sources, their aliases and joins", () => {
    expect(
      sources("SELECT 1 FROM a x, main.b AS y LEFT OUTER JOIN \"c d\" 'z' ON 1 CROSS JOIN (SELECT 1) q"),
    ).toEqual(["name a x", "join name b y", "left join name c d z", "join query q"]);
    expect(sources("SELECT 1 FROM a INDEXED BY i JOIN generate_series(1, 2) g")).toEqual([
      "name a",
      "join function generate_series g",
    ]);
    expect(sources("SELECT 1 FROM (a JOIN b) JOIN ((c))")).toEqual(["name a", "join name b", "join name c"]);
    expect(sources("SELECT 1 FROM t WHERE a, b")).toEqual(["name t"]);
  });

  it("reads on behind NOT INDEXED", () => {
    expect(clauses("SELECT a FROM t NOT INDEXED WHERE b")).toEqual([
      { select: "a", from: "t NOT INDEXED", where: "b" },
    ]);
  });

  it("finds common table expressions and what they are seen from", () => {
    const { main, scopes } = outlineQuery(
      "WITH a AS (SELECT 1), b(x, y) AS NOT MATERIALIZED (SELECT 2) SELECT 3",
    );
    expect(main.ctes.map((cte) => cte.name)).toEqual(["a", "b"]);
    expect(scopes.map((scope) => scope.frame.role)).toEqual(["derived", "derived", "statement"]);
    expect(main.scopes).toHaveLength(1);
  });

  it("lets expressions see the query around them, and subqueries of FROM not", () => {
    const { scopes } = outlineQuery("SELECT (SELECT 1), x FROM (SELECT 2) WHERE y IN (SELECT 3)");
    expect(scopes.map((scope) => scope.outer?.index ?? null)).toEqual([null, 0, null, 0]);
  });

  it("leaves out what stands in more than a hundred parentheses", () => {
    const nested = (depth: number) =>
      outlineQuery(`${"SELECT (".repeat(depth)}SELECT 1${")".repeat(depth)} FROM t`);
    expect(nested(50).scopes).toHaveLength(51);
    expect(nested(5000).scopes).toHaveLength(101);
    expect(nested(5000).scopes[0]?.sources.map((source) => source.name)).toEqual(["t"]);
  });
});
