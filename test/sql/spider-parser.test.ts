import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SpiderParserOptions, SpiderRefusal } from "../../sql/spider-parser.ts";
import { parseSpiderQuery } from "../../sql/spider-parser.ts";
import type { SpiderColumnUnit, SpiderQuery, SpiderValueUnit } from "../../sql/spider-query.ts";
import { CONCERT_SCHEMA } from "./concert-schema.ts";

function parsed(sql: string, options?: SpiderParserOptions): SpiderQuery {
  const result = parseSpiderQuery(sql, CONCERT_SCHEMA, options);
  if (!result.ok) throw new Error(`${sql}: ${result.message}`);
  return result.query;
}

function column(name: string, given: Partial<SpiderColumnUnit> = {}): SpiderColumnUnit {
  return { aggregate: "none", column: name, isDistinct: false, ...given };
}

function unit(name: string, given: Partial<SpiderColumnUnit> = {}): SpiderValueUnit {
  return { operator: "none", left: column(name, given), right: null };
}

const SELECT_ALL_SINGERS: SpiderQuery = {
  select: { isDistinct: false, items: [{ aggregate: "none", valueUnit: unit("*") }] },
  from: { tableUnits: [{ kind: "table", table: "singer" }], conditions: [] },
  where: [],
  groupBy: [],
  having: [],
  orderBy: null,
  limit: null,
  intersect: null,
  union: null,
  except: null,
};

describe("parseSpiderQuery", () => {
  it("keeps every clause", () => {
    const sql =
      "SELECT DISTINCT T1.Country , count(DISTINCT T2.concert_id) FROM Singer AS T1 JOIN singer_in_concert AS T2 " +
      "ON T1.singer_id = T2.singer_id WHERE T1.age BETWEEN 20 AND 30.5 OR T1.name NOT LIKE '%Joe%' " +
      "GROUP BY T1.country HAVING avg(T1.age) >= 25 ORDER BY count(*) DESC LIMIT 3";
    expect(parsed(sql)).toEqual({
      select: {
        isDistinct: true,
        items: [
          { aggregate: "none", valueUnit: unit("singer.country") },
          { aggregate: "count", valueUnit: unit("singer_in_concert.concert_id", { isDistinct: true }) },
        ],
      },
      from: {
        tableUnits: [
          { kind: "table", table: "singer" },
          { kind: "table", table: "singer_in_concert" },
        ],
        conditions: [
          {
            isNegated: false,
            operator: "=",
            valueUnit: unit("singer.singer_id"),
            value1: { kind: "column", unit: column("singer_in_concert.singer_id") },
            value2: null,
          },
        ],
      },
      where: [
        {
          isNegated: false,
          operator: "between",
          valueUnit: unit("singer.age"),
          value1: { kind: "number", value: 20 },
          value2: { kind: "number", value: 30.5 },
        },
        "or",
        {
          isNegated: true,
          operator: "like",
          valueUnit: unit("singer.name"),
          value1: { kind: "string", text: '"%Joe%"' },
          value2: null,
        },
      ],
      groupBy: [column("singer.country")],
      having: [
        {
          isNegated: false,
          operator: ">=",
          valueUnit: unit("singer.age", { aggregate: "avg" }),
          value1: { kind: "number", value: 25 },
          value2: null,
        },
      ],
      orderBy: { direction: "desc", valueUnits: [unit("*", { aggregate: "count" })] },
      limit: 3,
      intersect: null,
      union: null,
      except: null,
    });
  });

  it("keeps nested queries in FROM, conditions and set operations, which branch to the right", () => {
    expect(parsed("SELECT count(*) FROM (SELECT * FROM singer)").from).toEqual({
      tableUnits: [{ kind: "query", query: SELECT_ALL_SINGERS }],
      conditions: [],
    });
    expect(parsed("SELECT * FROM singer WHERE age IN (SELECT * FROM singer)").where).toEqual([
      {
        isNegated: false,
        operator: "in",
        valueUnit: unit("singer.age"),
        value1: { kind: "query", query: SELECT_ALL_SINGERS },
        value2: null,
      },
    ]);
    expect(
      parsed(
        "SELECT * FROM singer EXCEPT SELECT * FROM singer UNION SELECT * FROM singer INTERSECT SELECT * FROM singer",
      ),
    ).toEqual({
      ...SELECT_ALL_SINGERS,
      except: { ...SELECT_ALL_SINGERS, union: { ...SELECT_ALL_SINGERS, intersect: SELECT_ALL_SINGERS } },
    });
  });

  it("joins the conditions of two ON by and", () => {
    const sql =
      "SELECT * FROM singer AS a JOIN singer_in_concert AS b ON a.singer_id = b.singer_id " +
      "JOIN concert AS c ON c.concert_id = b.concert_id";
    const { conditions } = parsed(sql).from;
    expect(conditions.map((item) => (typeof item === "string" ? item : item.valueUnit.left.column))).toEqual([
      "singer.singer_id",
      "and",
      "concert.concert_id",
    ]);
  });

  it("takes the last definition of an alias for the whole text", () => {
    const sql =
      "SELECT T1.name FROM singer AS T1 WHERE T1.name IN (SELECT T1.name FROM concert AS T1 WHERE T1.year = 2000)";
    const query = parsed(sql);
    expect(query.select.items[0]?.valueUnit.left.column).toBe("concert.name");
    expect(query.from.tableUnits).toEqual([{ kind: "table", table: "singer" }]);
  });

  it("gives an unqualified column to the first FROM table that owns it", () => {
    expect(parsed("SELECT name FROM concert JOIN singer").select.items[0]?.valueUnit.left.column).toBe(
      "concert.name",
    );
    expect(parsed("SELECT name FROM singer JOIN concert").select.items[0]?.valueUnit.left.column).toBe(
      "singer.name",
    );
  });

  it("keeps one direction, the last that the text gives", () => {
    expect(parsed("SELECT * FROM singer ORDER BY age DESC, name ASC").orderBy?.direction).toBe("asc");
    expect(parsed("SELECT * FROM singer ORDER BY age ASC, name DESC").orderBy?.direction).toBe("desc");
    expect(parsed("SELECT * FROM singer ORDER BY age").orderBy?.direction).toBe("asc");
  });

  it("reads column arithmetic in one aggregate and in conditions", () => {
    const minus: SpiderValueUnit = {
      operator: "-",
      left: column("singer.age"),
      right: column("singer.singer_id"),
    };
    expect(parsed("SELECT max(age - singer_id) FROM singer").select.items).toEqual([
      { aggregate: "max", valueUnit: minus },
    ]);
    expect(parsed("SELECT * FROM singer WHERE age - singer_id > 3").where).toMatchObject([
      { valueUnit: minus },
    ]);
  });

  it("reads whatever Python's float() does as a number", () => {
    const values = ["1e2", "nan", "inf", "1_000", "-5"].map(
      (text) => parsed(`SELECT * FROM singer WHERE age = ${text}`).where[0],
    );
    expect(values.map((item) => (typeof item === "object" ? item.value1 : item))).toEqual(
      [100, Number.NaN, Infinity, 1000, -5].map((value) => ({ kind: "number", value })),
    );
  });

  it("ignores what follows the point where the order of clauses stops matching", () => {
    const bare = parsed("SELECT * FROM singer GROUP BY age");
    expect(parsed("SELECT * FROM singer GROUP BY age WHERE age > 3")).toEqual(bare);
    expect(parsed("SELECT * FROM singer GROUP BY age;")).toEqual(bare);
    const limited = parsed("SELECT * FROM singer LIMIT 3");
    expect(parsed("SELECT * FROM singer LIMIT 3 OFFSET 1")).toEqual(limited);
    expect(parsed("SELECT * FROM singer LIMIT 3, 1")).toEqual(limited);
    expect(parsed("SELECT * FROM singer LIMIT 3 -- three")).toEqual(limited);
  });

  it("drops the rest of a stretch after a column that is a value", () => {
    expect(parsed("SELECT * FROM singer AS a WHERE age = a.singer_id OR age = 3").where).toHaveLength(1);
  });

  it("lets a connector end the list of conditions", () => {
    expect(parsed("SELECT * FROM singer WHERE age = 3 AND").where).toHaveLength(2);
  });

  it.each([
    "SELECT age FROM singer JOIN concert",
    "SELECT age FROM singer WHERE age NOT IN (3)",
    "SELECT age FROM singer WHERE age IN (SELECT year FROM concert)",
    "SELECT age name FROM singer",
    "SELECT age FROM singer WHERE age >= 3 and age < = 4 and age ! = 5",
    "SELECT age FROM singer GROUP BY age HAVING count(*) > (SELECT year FROM concert)",
    "(SELECT age FROM singer)",
    "SELECT * FROM",
    "SELECT none(age) FROM singer",
  ])("parses %j", (sql) => {
    expect(parseSpiderQuery(sql, CONCERT_SCHEMA)).toMatchObject({ ok: true });
  });

  it.each<readonly [string, SpiderRefusal]>([
    ["SELECT * FROM singer, concert", "unknown_table"],
    ["SELECT * FROM singer LEFT JOIN concert ON singer.name = concert.name", "unknown_table"],
    ["SELECT * FROM singer INNER JOIN concert", "unknown_table"],
    ["SELECT * FROM singer s", "unknown_table"],
    ["SELECT count(*) AS n FROM singer", "unknown_column"],
    ["SELECT T1.* FROM singer AS T1", "unknown_column"],
    ["SELECT * FROM singer WHERE age IS NULL", "unknown_column"],
    ["SELECT * FROM singer WHERE age IS NOT NULL", "unknown_column"],
    ["SELECT * FROM singer WHERE age IN (3, 4)", "unexpected_token"],
    ["SELECT * FROM singer WHERE age IN (3,4)", "unknown_column"],
    ["SELECT * FROM singer WHERE EXISTS (SELECT * FROM concert)", "unknown_column"],
    ["SELECT * FROM singer WHERE (age = 3)", "unexpected_token"],
    ["SELECT * FROM singer JOIN concert ON (singer.name = concert.name)", "unexpected_token"],
    ["SELECT * FROM singer JOIN concert USING (name)", "unknown_table"],
    ["SELECT CASE WHEN age THEN 1 END FROM singer", "unknown_column"],
    ["SELECT CAST(age AS INT) FROM singer", "unknown_column"],
    ["SELECT round(age) FROM singer", "unknown_column"],
    ["SELECT max(age) - min(age) FROM singer", "unknown_column"],
    ["SELECT * FROM singer WHERE age <> 3", "unknown_column"],
    ["SELECT * FROM singer WHERE age == 3", "unexpected_token"],
    ["SELECT * FROM singer WHERE age=3", "unknown_column"],
    ["SELECT * FROM singer WHERE age>=3", "unknown_column"],
    ["SELECT name || country FROM singer", "unknown_column"],
    ["SELECT * FROM singer WHERE 3 = age", "unknown_column"],
    ["SELECT count(1) FROM singer", "unknown_column"],
    ["SELECT * FROM singer AS concert", "alias_is_table"],
    ["SELECT * FROM 'singer'", "unknown_table"],
    ["SELECT * FROM `singer`", "unknown_table"],
    ["SELECT * FROM singer LIMIT 1,3", "limit_not_integer"],
    ["SELECT * FROM singer LIMIT 1.0", "limit_not_integer"],
    ["SELECT * FROM singer LIMIT", "unexpected_end"],
    ["SELECT * FROM singer ORDER BY 1", "unknown_column"],
    ["SELECT * FROM singer UNION ALL SELECT * FROM singer", "unexpected_token"],
    ["SELECT age + 1 FROM singer", "unknown_column"],
    ["SELECT 1 FROM singer", "unknown_column"],
    ["SELECT * FROM singer WHERE NOT age = 3", "unknown_column"],
    ["SELECT * FROM singer HAVING count(*) > 3", "unknown_table"],
    ["SELECT * FROM (SELECT * FROM singer) AS t", "unknown_table"],
    ["SELECT name FROM (SELECT name FROM singer)", "unknown_column"],
    ["SELECT 1", "unexpected_end"],
    ["SELECT * FROM singer -- all", "unknown_table"],
    ["SELECT * FROM singer WHERE age = 3 -- all", "unknown_column"],
    ['SELECT * FROM singer WHERE name = "O\'Brien"', "unbalanced_quotes"],
    ["SELECT * FROM singer WHERE name = 'it''s'", "unknown_column"],
    ["SELECT * FROM singer WHERE age = (singer_id)", "unexpected_end"],
    ["SELECT * FROM singer WHERE age >", "unexpected_end"],
    ["SELECT * FROM singer WHERE age BETWEEN 3 OR 4", "unexpected_token"],
    ["SELECT * FROM singer AS", "unexpected_end"],
    ["SELECT ((count(*))) FROM singer", "unknown_column"],
    ["SELECT nope FROM singer", "unknown_column"],
    ["SELECT * FROM nope", "unknown_table"],
    ["DELETE FROM singer", "unexpected_token"],
    ["", "unexpected_end"],
  ])("refuses %j: %s", (sql, reason) => {
    const result = parseSpiderQuery(sql, CONCERT_SCHEMA);
    expect(result.ok ? "parsed" : result.reason).toBe(reason);
  });

  it("takes any token after LIMIT and stores 1 where the limit is any token", () => {
    for (const limit of ["3", "1.0", "1,3", "n"]) {
      expect(parsed(`SELECT * FROM singer LIMIT ${limit}`, { limit: "any-token" }).limit).toBe(1);
    }
    expect(parseSpiderQuery("SELECT * FROM singer LIMIT", CONCERT_SCHEMA, { limit: "any-token" }).ok).toBe(
      false,
    );
  });

  it("refuses deep nesting instead of overflowing the stack", () => {
    const depth = 50_000;
    const nestedFrom = `${"SELECT * FROM (".repeat(depth)}SELECT * FROM singer${")".repeat(depth)}`;
    const nestedWhere = "SELECT * FROM singer WHERE age IN (".repeat(depth);
    const unions = Array.from({ length: depth }, () => "SELECT * FROM singer").join(" UNION ");
    for (const sql of [nestedFrom, nestedWhere, unions]) {
      expect(parseSpiderQuery(sql, CONCERT_SCHEMA)).toMatchObject({ ok: false, reason: "nesting_too_deep" });
    }
    expect(parseSpiderQuery("(".repeat(depth), CONCERT_SCHEMA).ok).toBe(false);
  });

  it("never throws", () => {
    const words =
      "select from where group by having order limit union ( ) , ; * singer concert age name t1 as join on and or not in like between = > < 3 'x' count max distinct - desc".split(
        " ",
      );
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 30 }), (parts) => {
        expect(typeof parseSpiderQuery(`select * from singer ${parts.join(" ")}`, CONCERT_SCHEMA).ok).toBe(
          "boolean",
        );
        expect(typeof parseSpiderQuery(parts.join(" "), CONCERT_SCHEMA).ok).toBe("boolean");
      }),
      { numRuns: 2_000 },
    );
  });
});
