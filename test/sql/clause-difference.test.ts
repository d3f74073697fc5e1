import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clauseDifference, withLiterals } from "../../sql/clause-difference.ts";
import type { ClauseDifference } from "../../sql/clause-difference.ts";
import { clausesOf } from "../../sql/clauses.ts";
import { CLAUSE_CASES, SCHEMA_CASES } from "./clause-cases.ts";
import { FERRY_SCHEMA } from "./ferry-schema.ts";

function difference(
  gold: string,
  predicted: string,
  schema: typeof FERRY_SCHEMA | null = null,
): ClauseDifference {
  return clauseDifference(clausesOf(gold, schema), clausesOf(predicted, schema));
}

const CASES = [...CLAUSE_CASES, ...SCHEMA_CASES].map(({ sql }) => sql);

describe("clauseDifference", () => {
  it.each(CASES)("finds none between a text and itself: %s", (sql) => {
    const found = difference(sql, sql);
    expect(found).toMatchObject({ isEmpty: true, values: [], directions: [], limit: null, distinct: "same" });
    expect(Object.values(found.states).filter((state) => state !== "same" && state !== "absent")).toEqual([]);
  });

  it.each([
    ["SELECT a FROM t", "select  A\nfrom T ; -- done"],
    ["SELECT a FROM t AS x WHERE x.b = 1", "SELECT y.a FROM t y WHERE y.b == 1"],
    ["SELECT x.a FROM t x JOIN u y ON x.i = y.i", "SELECT t.a FROM t INNER JOIN u ON u.i = t.i"],
    ["SELECT a FROM t WHERE b = 1 AND c = 2", "SELECT a FROM t WHERE (c = 2) AND (b = 1)"],
    ["SELECT a FROM t JOIN u ON t.i = u.i", "SELECT a FROM u JOIN t ON t.i = u.i"],
    ["WITH x AS (SELECT a FROM t) SELECT a FROM x", "WITH y AS (SELECT a FROM t) SELECT y.a FROM y"],
    ["SELECT d.a FROM (SELECT a FROM t) d", "SELECT e.a FROM (SELECT t.a FROM t) AS e"],
    [
      "SELECT a, count(*) AS n FROM t GROUP BY a ORDER BY n",
      "SELECT a, count(*) m FROM t GROUP BY a ORDER BY m ASC",
    ],
    [
      "SELECT a, count(*) FROM t GROUP BY a ORDER BY count(*)",
      "SELECT a, count(*) m FROM t GROUP BY a ORDER BY m",
    ],
    ["SELECT a FROM t WHERE b = 'x'", 'SELECT a FROM t WHERE b = "x"'],
    ["SELECT a FROM t WHERE b != 1", "SELECT a FROM t WHERE b <> 1"],
    ["SELECT p.a FROM t p JOIN t q ON p.i < q.i", "SELECT l.a FROM t l JOIN t r ON l.i < r.i"],
    [
      "SELECT a FROM t x WHERE b > (SELECT avg(b) FROM t y WHERE y.c = x.c)",
      "SELECT a FROM t WHERE b > (SELECT avg(z.b) FROM t z WHERE z.c = t.c)",
    ],
    ["SELECT a FROM t WHERE b OR c", "SELECT a FROM t WHERE c OR b"],
    ["SELECT b / 10 AS d FROM t GROUP BY d", "SELECT b / 10 FROM t GROUP BY b / 10"],
  ])("finds none between spellings: %s | %s", (gold, predicted) => {
    expect(difference(gold, predicted).isEmpty).toBe(true);
  });

  it("takes columns without a table for those of their table where there is a schema", () => {
    const gold = "SELECT built, fare FROM ferry JOIN crossing ON id = ferry_id";
    const predicted = "SELECT f.built, c.fare FROM Ferry f JOIN crossing c ON f.id = c.ferry_id";
    expect(difference(gold, predicted).isEmpty).toBe(false);
    expect(difference(gold, predicted, FERRY_SCHEMA).isEmpty).toBe(true);
  });

  it.each<[string, string, Partial<ClauseDifference["states"]>]>([
    ["SELECT a FROM t WHERE b", "SELECT a FROM t", { where: "missing", select: "same", from: "same" }],
    ["SELECT a FROM t", "SELECT a FROM t ORDER BY a LIMIT 1", { orderBy: "extra", limit: "extra" }],
    ["SELECT a FROM t", "SELECT b FROM t", { select: "changed", from: "same", where: "absent" }],
    ["SELECT a, b FROM t", "SELECT b, a FROM t", { select: "changed" }],
    ["SELECT a FROM t GROUP BY b, c", "SELECT a FROM t GROUP BY c, b", { groupBy: "same" }],
    ["SELECT a FROM t ORDER BY b, c", "SELECT a FROM t ORDER BY c, b", { orderBy: "changed" }],
    ["SELECT a FROM t JOIN u ON t.i = u.i", "SELECT a FROM t LEFT JOIN u ON t.i = u.i", { joins: "changed" }],
    ["SELECT a FROM t, u", "SELECT a FROM t", { from: "changed" }],
    [
      "SELECT a FROM t UNION SELECT a FROM u",
      "SELECT a FROM t UNION ALL SELECT a FROM u",
      { setOperations: "changed" },
    ],
    ["SELECT a FROM t WHERE b AND (c OR d)", "SELECT a FROM t WHERE (b AND c) OR d", { where: "changed" }],
    ["SELECT a FROM t WHERE b AND c", "SELECT a FROM t WHERE b OR c", { where: "changed" }],
    [
      "SELECT p.a FROM t p JOIN t q ON p.i < q.i",
      "SELECT q.a FROM t p JOIN t q ON p.i < q.i",
      { select: "changed" },
    ],
    [
      "WITH x AS (SELECT 1) SELECT * FROM x",
      "WITH x AS (SELECT 2) SELECT * FROM x",
      { with: "changed", from: "same" },
    ],
    ["SELECT a FROM t GROUP BY a HAVING count(*) > 1", "SELECT a FROM t GROUP BY a", { having: "missing" }],
  ])("tells the states of clauses: %s | %s", (gold, predicted, states) => {
    const found = difference(gold, predicted);
    expect(found.states).toMatchObject(states);
  });

  it("tells texts without clauses by their literals", () => {
    expect(difference("VALUES (1)", "values ( 1 )").isEmpty).toBe(true);
    expect(difference("VALUES (1)", "VALUES (2)").isEmpty).toBe(false);
    expect(difference("", "-- nothing").isEmpty).toBe(true);
  });

  it("lists what is missing and extra, each as often as it is", () => {
    const found = difference("SELECT a, a, b FROM t WHERE c = 'x'", "SELECT a, d FROM t WHERE e = 'x'");
    expect(found.items.select).toEqual({ missing: ["a", "b"], extra: ["d"] });
    expect(found.items.where).toEqual({ missing: ["c = 'x'"], extra: ["e = 'x'"] });
    expect(found.values).toEqual([]);
  });

  it("tells literals from what they are compared with", () => {
    const found = difference(
      "SELECT a FROM t WHERE b = 'x' AND c BETWEEN 1 AND 2",
      "SELECT a FROM t WHERE b = 'y' AND c BETWEEN 1 AND 3",
    );
    expect(found.literals).toEqual({ missing: ["'x'", "2"], extra: ["'y'", "3"] });
    expect(found.values).toEqual([
      { clause: "where", item: "b = ?", gold: ["'x'"], predicted: ["'y'"] },
      { clause: "where", item: "c between ? and ?", gold: ["1", "2"], predicted: ["1", "3"] },
    ]);
  });

  it("tells DISTINCT, directions, limits, aggregates, functions, joins and tables", () => {
    const found = difference(
      "SELECT DISTINCT max(a) FROM t JOIN u ON t.i = u.i ORDER BY b DESC LIMIT 1",
      "SELECT min(a) FROM t ORDER BY b LIMIT 3 OFFSET 2",
    );
    expect(found.distinct).toBe("missing");
    expect(difference("SELECT a FROM t", "SELECT DISTINCT a FROM t").distinct).toBe("extra");
    expect(found.directions).toEqual([{ item: "b", gold: "desc", predicted: "asc" }]);
    expect(found.limit).toEqual({ gold: "1", predicted: "3 offset 2" });
    expect(found.aggregates).toEqual({ missing: ["max(a)"], extra: ["min(a)"] });
    expect(found.functions).toEqual({ missing: ["max"], extra: ["min"] });
    expect(found.items.joins).toEqual({ missing: ["on t.i = u.i"], extra: [] });
    expect(found.tables).toEqual({ missing: ["u"], extra: [] });
  });

  it("tells a join on the wrong key, in ON and in WHERE, of inner and outer joins", () => {
    const joined = (on: string): string => `SELECT f.name FROM ferry f LEFT JOIN crossing c ON ${on}`;
    const change = [
      {
        tables: ["crossing", "ferry"],
        gold: ["crossing.ferry_id = ferry.id"],
        predicted: ["crossing.id = ferry.id"],
      },
    ];
    const gold = "SELECT f.name FROM ferry f JOIN crossing c ON f.id = c.ferry_id";
    expect(difference(gold, joined("c.id = f.id")).joinChanges).toEqual(change);
    expect(difference(gold, joined("c.ferry_id = f.id")).joinChanges).toEqual([]);
    const listed = "SELECT f.name FROM ferry f, crossing c WHERE c.id = f.id AND c.fare > 5";
    expect(difference(gold, listed).joinChanges).toEqual(change);
    expect(difference(gold, "SELECT name FROM ferry").joinChanges).toEqual([]);
  });

  it("tells other aggregates of the same argument, and DISTINCT in them", () => {
    const found = difference(
      "SELECT max(a), count(DISTINCT b), sum(c) FROM t",
      "SELECT min(a), count(b), sum(d) FROM t",
    );
    expect(found.aggregateChanges).toEqual([
      { argument: "a", gold: "max(a)", predicted: "min(a)", isDistinctOnly: false },
      { argument: "b", gold: "count(distinct b)", predicted: "count(b)", isDistinctOnly: true },
    ]);
    expect(found.aggregates.missing).toEqual(["max(a)", "count(distinct b)", "sum(c)"]);
    expect(found.distinct).toBe("same");
  });

  const names = fc.constantFrom("x", "y1", "T1", "other", "[an alias]", '"z z"');

  it("sees no difference in the names of aliases, in case and in white space", () => {
    fc.assert(
      fc.property(
        names,
        names,
        names,
        fc.boolean(),
        fc.constantFrom(" ", "\n", "\t ", " /* a */ "),
        (f, c, n, as, space) => {
          fc.pre(f.toLowerCase() !== c.toLowerCase());
          const write = (first: string, second: string, output: string): string =>
            `SELECT ${first}.Name, count(*) AS ${output} FROM ferry AS ${first} JOIN crossing ${as ? "AS " : ""}${second} ` +
            `ON ${first}.id = ${second}.ferry_id WHERE ${second}.fare > 5 AND EXISTS (SELECT 1 FROM captain k WHERE ` +
            `k.ferry_id = ${first}.id) GROUP BY ${first}.name ORDER BY ${output} DESC`;
          const renamed = write(f, c, n);
          const found = difference(
            write("a", "b", "m"),
            renamed.toUpperCase().replaceAll(" ", space),
            FERRY_SCHEMA,
          );
          // A quoted name holds white space of its own.
          if (space === " " || !/[["]/.test(renamed)) expect(found.isEmpty).toBe(true);
        },
      ),
      { numRuns: 200, seed: 3 },
    );
  });

  it("takes any two texts, and mirrors what is missing and extra", () => {
    const text = fc.oneof(fc.constantFrom(...CASES), fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(text, text, (gold, predicted) => {
        const there = difference(gold, predicted);
        const back = difference(predicted, gold);
        expect(back.isEmpty).toBe(there.isEmpty);
        expect(back.items.where).toEqual({
          missing: there.items.where.extra,
          extra: there.items.where.missing,
        });
        expect(back.tables).toEqual({ missing: there.tables.extra, extra: there.tables.missing });
      }),
      { numRuns: 200, seed: 5 },
    );
  });
});

describe("withLiterals", () => {
  it("puts literals in their places, those with question marks too", () => {
    expect(withLiterals({ text: "a = ? and b = ?", literals: ["'?'", "2"] })).toBe("a = '?' and b = 2");
    expect(withLiterals({ text: "a", literals: [] })).toBe("a");
  });
});
