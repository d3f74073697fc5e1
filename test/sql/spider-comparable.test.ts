import { describe, expect, it } from "vitest";
import {
  comparableSpiderQuery,
  hasMisplacedConnector,
  REMOVED_SPIDER_VALUE,
} from "../../sql/spider-comparable.ts";
import { conditionsOf } from "../../sql/spider-query.ts";
import type { SpiderQuery, SpiderValue } from "../../sql/spider-query.ts";
import { parseFlightQuery } from "./parse-flight-query.ts";

const CLASSES = new Map([
  ["airport.code", "airport.code"],
  ["flight.source", "airport.code"],
  ["flight.destination", "airport.code"],
]);

function comparable(sql: string): SpiderQuery {
  return comparableSpiderQuery(parseFlightQuery(sql), CLASSES);
}

function valuesOf(query: SpiderQuery | null): (SpiderValue | null)[] {
  return conditionsOf(query?.where ?? []).flatMap(({ value1, value2 }) => [value1, value2]);
}

function queryIn(value: SpiderValue | null | undefined): SpiderQuery {
  if (value?.kind !== "query") throw new Error("expected a query as the value");
  return value.query;
}

describe("comparableSpiderQuery", () => {
  it.each(["price = 3", "price = 'x'", "price = airline_id", "source = flight.destination"])(
    "removes the value of %s",
    (condition) => {
      expect(valuesOf(comparable(`SELECT price FROM flight WHERE ${condition}`))).toEqual([
        REMOVED_SPIDER_VALUE,
        null,
      ]);
    },
  );

  it("removes both ends of BETWEEN, but keeps a query there", () => {
    const text = "SELECT price FROM flight WHERE price BETWEEN 1 AND (SELECT max(price) FROM flight)";
    const [low, high] = valuesOf(comparable(text));
    expect(low).toEqual(REMOVED_SPIDER_VALUE);
    expect(queryIn(high)).toEqual(parseFlightQuery("SELECT max(price) FROM flight"));
  });

  it("removes values in queries that are values, and keeps their columns and DISTINCT", () => {
    const text =
      "SELECT city FROM airport WHERE code IN (SELECT DISTINCT source FROM flight WHERE source = 'a')";
    const nested = queryIn(valuesOf(comparable(text))[0]);
    expect(valuesOf(nested)).toEqual([REMOVED_SPIDER_VALUE, null]);
    expect(nested.select).toEqual(parseFlightQuery("SELECT DISTINCT source FROM flight").select);
  });

  it("removes values in branches and drops DISTINCT there", () => {
    const branch = comparable(
      "SELECT city FROM airport UNION SELECT DISTINCT city FROM airport WHERE city = 'a'",
    ).union;
    expect(valuesOf(branch)).toEqual([REMOVED_SPIDER_VALUE, null]);
    expect(branch?.select.isDistinct).toBe(false);
  });

  it("leaves queries in FROM as they are", () => {
    const text = "SELECT count(*) FROM (SELECT DISTINCT source FROM flight WHERE price > 3)";
    expect(comparable(text).from).toEqual(parseFlightQuery(text).from);
  });

  it("replaces the columns of FROM's tables in every clause", () => {
    const query = comparable(
      "SELECT max(source) , destination - price FROM flight JOIN airline ON flight.source = 'a' " +
        "WHERE source = 'a' GROUP BY destination HAVING min(source) > 'a' ORDER BY destination",
    );
    const code = { aggregate: "none", column: "airport.code", isDistinct: false };
    expect(query.select.items.map((item) => item.valueUnit.left)).toEqual([code, code]);
    expect(query.select.items[1]?.valueUnit.right?.column).toBe("flight.price");
    const conditions = [query.from.conditions, query.where, query.having].flatMap(conditionsOf);
    expect(conditions.map((condition) => condition.valueUnit.left.column)).toEqual([
      "airport.code",
      "airport.code",
      "airport.code",
    ]);
    expect(query.groupBy).toEqual([code]);
    expect(query.orderBy?.valueUnits.map((unit) => unit.left)).toEqual([code]);
  });

  it("replaces columns of branches by the tables of the outermost FROM", () => {
    const outside = comparable("SELECT city FROM airport UNION SELECT source FROM flight");
    expect(outside.union?.select.items[0]?.valueUnit.left.column).toBe("flight.source");
    const inside = comparable("SELECT price FROM flight UNION SELECT source FROM flight");
    expect(inside.union?.select.items[0]?.valueUnit.left.column).toBe("airport.code");
  });

  it("leaves its input as it was", () => {
    const text = "SELECT DISTINCT source FROM flight WHERE price > 3 UNION SELECT source FROM flight";
    const query = parseFlightQuery(text);
    comparableSpiderQuery(query, CLASSES);
    expect(query).toEqual(parseFlightQuery(text));
  });
});

describe("hasMisplacedConnector", () => {
  it.each<readonly [sql: string, misplaced: boolean]>([
    ["SELECT city FROM airport", false],
    ["SELECT city FROM airport WHERE city = 'a' AND code = 'b' OR code = 'c'", false],
    ["SELECT city FROM airport WHERE city = 'a' AND", false],
    ["SELECT city FROM airport WHERE city = 'a' code = 'b'", false],
    ["SELECT city FROM airport WHERE city = 'a' code = 'b' AND country = 'c'", true],
    ["SELECT city FROM airport GROUP BY city HAVING city = 'a' code = 'b' AND country = 'c'", true],
    [
      "SELECT city FROM airport UNION SELECT city FROM airport WHERE city = 'a' code = 'b' AND code = 'c'",
      true,
    ],
    [
      "SELECT city FROM airport WHERE code = (SELECT source FROM flight WHERE price = 1 price = 2 OR price = 3)",
      true,
    ],
    // The official rewriting does not enter FROM.
    ["SELECT count(*) FROM (SELECT source FROM flight WHERE price = 1 price = 2 OR price = 3)", false],
  ])("of %s", (sql, misplaced) => {
    expect(hasMisplacedConnector(parseFlightQuery(sql))).toBe(misplaced);
  });
});
