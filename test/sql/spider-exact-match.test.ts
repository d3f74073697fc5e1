import { describe, expect, it } from "vitest";
import { EMPTY_SPIDER_QUERY, SPIDER_COMPONENTS, spiderExactMatch } from "../../sql/spider-exact-match.ts";
import type { SpiderComponent, SpiderExactMatch } from "../../sql/spider-exact-match.ts";
import { FLIGHT_SCHEMA } from "./flight-schema.ts";
import { parseFlightQuery } from "./parse-flight-query.ts";
import { AIRPORT, FLIGHT } from "./spider-match-case.ts";
import { DISTINCT_CASES, KEY_CASES, VALUE_CASES } from "./spider-match-rewriting-cases.ts";
import {
  CONNECTOR_CASES,
  GROUP_CASES,
  ORDER_CASES,
  SELECT_CASES,
  WHERE_CASES,
} from "./spider-match-clause-cases.ts";
import { BRANCH_CASES, STOP_CASES, TABLE_CASES } from "./spider-match-query-cases.ts";

function match(gold: string, predicted: string): SpiderExactMatch {
  return spiderExactMatch(parseFlightQuery(gold), parseFlightQuery(predicted), FLIGHT_SCHEMA);
}

function failing(result: SpiderExactMatch): SpiderComponent[] {
  return SPIDER_COMPONENTS.filter((component) => result.partial[component].f1 === 0);
}

describe("spiderExactMatch", () => {
  describe.each([
    ["values", VALUE_CASES],
    ["foreign keys", KEY_CASES],
    ["DISTINCT", DISTINCT_CASES],
    ["SELECT", SELECT_CASES],
    ["WHERE", WHERE_CASES],
    ["connectors", CONNECTOR_CASES],
    ["GROUP BY", GROUP_CASES],
    ["ORDER BY", ORDER_CASES],
    ["set operations", BRANCH_CASES],
    ["FROM", TABLE_CASES],
    ["what stops the official script", STOP_CASES],
  ] as const)("%s", (_name, cases) => {
    it.each(cases)("%s: %s | %s", (...[, gold, predicted, exact, components]) => {
      const result = match(gold, predicted);
      expect(result.exact).toBe(exact);
      expect(failing(result)).toEqual(components);
    });
  });
});

describe("spiderExactMatch, an empty query", () => {
  const gold = parseFlightQuery(`${AIRPORT} WHERE city = 'a' OR code = 'b' GROUP BY city`);

  it("fails whatever the gold has", () => {
    const result = spiderExactMatch(gold, EMPTY_SPIDER_QUERY, FLIGHT_SCHEMA);
    expect(result.exact).toBe(false);
    expect(failing(result)).toEqual([
      "select",
      "select(no AGG)",
      "where",
      "where(no OP)",
      "group(no Having)",
      "group",
      "and/or",
      "keywords",
    ]);
  });

  it("matches only a query without anything", () => {
    const bare = parseFlightQuery("SELECT FROM airport");
    expect(spiderExactMatch(EMPTY_SPIDER_QUERY, EMPTY_SPIDER_QUERY, FLIGHT_SCHEMA).exact).toBe(true);
    const onlyTables = spiderExactMatch(bare, EMPTY_SPIDER_QUERY, FLIGHT_SCHEMA);
    expect(failing(onlyTables)).toEqual([]);
    expect(onlyTables.exact).toBe(false);
    // Tables are compared only where the gold has some.
    expect(spiderExactMatch(EMPTY_SPIDER_QUERY, bare, FLIGHT_SCHEMA).exact).toBe(true);
  });
});

describe("spiderExactMatch, totals", () => {
  it.each<readonly [SpiderComponent, string, string, labelTotal: number, predTotal: number, value: number]>([
    ["select", "SELECT city , code FROM airport", AIRPORT, 2, 1, 0],
    ["select(no AGG)", AIRPORT, "SELECT city , code FROM airport", 1, 2, 0],
    ["where", `${AIRPORT} WHERE city = 'a' AND code = 'b'`, `${AIRPORT} WHERE city = 'a'`, 2, 1, 0],
    ["where(no OP)", AIRPORT, `${AIRPORT} WHERE city = 'a'`, 0, 1, 0],
    ["where", AIRPORT, AIRPORT, 0, 0, 1],
    ["group(no Having)", `${AIRPORT} GROUP BY city , code`, `${AIRPORT} GROUP BY city`, 2, 1, 0],
    // HAVING is one item wherever there is GROUP BY.
    ["group", `${AIRPORT} GROUP BY city , code`, `${AIRPORT} GROUP BY city , code`, 1, 1, 1],
    ["group", `${AIRPORT} GROUP BY city , code`, AIRPORT, 1, 0, 0],
    ["order", `${FLIGHT} ORDER BY price , flight_no`, `${FLIGHT} ORDER BY price`, 1, 1, 0],
    ["order", FLIGHT, `${FLIGHT} ORDER BY price`, 0, 1, 0],
    // Equal sets count as one item, whatever is in them; unequal ones come the other way round.
    ["and/or", AIRPORT, AIRPORT, 1, 1, 1],
    [
      "and/or",
      `${FLIGHT} WHERE price = 1 AND price = 2 OR price = 3`,
      `${FLIGHT} WHERE price = 1 OR price = 2 AND price = 3`,
      1,
      1,
      1,
    ],
    ["and/or", `${AIRPORT} WHERE city = 'a'`, `${AIRPORT} WHERE city = 'a' OR code = 'b'`, 1, 0, 0],
    ["and/or", `${AIRPORT} WHERE city = 'a' OR code = 'b'`, AIRPORT, 0, 1, 0],
    ["and/or", `${FLIGHT} WHERE price = 1 AND price = 2`, `${FLIGHT} WHERE price = 1 OR price = 2`, 1, 1, 0],
    ["IUEN", `${AIRPORT} UNION ${AIRPORT}`, AIRPORT, 1, 0, 0],
    ["IUEN", `${AIRPORT} UNION ${AIRPORT}`, `${AIRPORT} UNION ${AIRPORT}`, 1, 1, 1],
    // A branch of a branch is no item of its own.
    ["IUEN", `${AIRPORT} UNION ${AIRPORT} EXCEPT ${AIRPORT}`, AIRPORT, 1, 0, 0],
    // order, desc, limit; where, or, not, in, like
    ["keywords", `${FLIGHT} ORDER BY price DESC LIMIT 1`, FLIGHT, 3, 0, 0],
    ["keywords", `${FLIGHT} WHERE price NOT IN (3) OR source LIKE 'a'`, FLIGHT, 5, 0, 0],
    ["keywords", `${FLIGHT} WHERE price = 1 AND price = 2 AND price = 3`, FLIGHT, 1, 0, 0],
    // group, having, except
    ["keywords", AIRPORT, `${AIRPORT} GROUP BY city HAVING count(*) > 1 EXCEPT ${AIRPORT}`, 0, 3, 0],
    ["keywords", `${AIRPORT} UNION ${AIRPORT}`, `${AIRPORT} INTERSECT ${AIRPORT}`, 1, 1, 0],
  ])("%s of %s | %s", (component, gold, predicted, ...[labelTotal, predTotal, value]) => {
    expect(match(gold, predicted).partial[component]).toEqual({
      acc: value,
      rec: value,
      f1: value,
      labelTotal,
      predTotal,
    });
  });
});
