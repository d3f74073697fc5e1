import { describe, expect, it } from "vitest";
import { EMPTY_SPIDER_QUERY, SPIDER_COMPONENTS, spiderExactMatch } from "../../sql/spider-exact-match.ts";
import type { SpiderComponent, SpiderExactMatch } from "../../sql/spider-exact-match.ts";
import { FLIGHT_SCHEMA } from "./flight-schema.ts";
import { parseFlightQuery } from "./parse-flight-query.ts";

function match(gold: string, predicted: string): SpiderExactMatch {
  return spiderExactMatch(parseFlightQuery(gold), parseFlightQuery(predicted), FLIGHT_SCHEMA);
}

function failing(result: SpiderExactMatch): SpiderComponent[] {
  return SPIDER_COMPONENTS.filter((component) => result.partial[component].f1 === 0);
}

type Case = readonly [
  why: string,
  gold: string,
  predicted: string,
  exact: boolean | null,
  failing: readonly SpiderComponent[],
];

const AIRPORT = "SELECT city FROM airport";
const FLIGHT = "SELECT price FROM flight";
const TWO_QUERIES = "FROM (SELECT city FROM airport) (SELECT name FROM airline)";

const VALUES: readonly Case[] = [
  ["a query and itself", AIRPORT, AIRPORT, true, []],
  ["case and spaces", AIRPORT, "select  CITY from AIRPORT ;", true, []],
  ["texts", `${AIRPORT} WHERE country = 'Italy'`, `${AIRPORT} WHERE country = 'Spain'`, true, []],
  ["a number and a text", `${FLIGHT} WHERE price > 3`, `${FLIGHT} WHERE price > 'x'`, true, []],
  [
    "column operands",
    `${FLIGHT} WHERE source != destination`,
    `${FLIGHT} WHERE source != flight_no`,
    true,
    [],
  ],
  ["a column and a number", `${FLIGHT} WHERE price > airline_id`, `${FLIGHT} WHERE price > 3`, true, []],
  [
    "both ends of BETWEEN",
    `${FLIGHT} WHERE price BETWEEN 1 AND 2`,
    `${FLIGHT} WHERE price BETWEEN 5 AND 9`,
    true,
    [],
  ],
  [
    "a number and a query",
    `${FLIGHT} WHERE price = 3`,
    `${FLIGHT} WHERE price = (SELECT max(price) FROM flight)`,
    false,
    ["where"],
  ],
  [
    "inside a query that is a value",
    `${AIRPORT} WHERE code IN (SELECT source FROM flight WHERE price > 3)`,
    `${AIRPORT} WHERE code IN (SELECT source FROM flight WHERE price > 9)`,
    true,
    [],
  ],
  [
    "in a branch",
    `${AIRPORT} UNION ${AIRPORT} WHERE country = 'a'`,
    `${AIRPORT} UNION ${AIRPORT} WHERE country = 'b'`,
    true,
    [],
  ],
  [
    "in HAVING",
    "SELECT city FROM airport GROUP BY city HAVING count(*) > 3",
    "SELECT city FROM airport GROUP BY city HAVING count(*) > 4",
    true,
    [],
  ],
  [
    "count in a query in FROM",
    "SELECT count(*) FROM (SELECT source FROM flight WHERE price > 20)",
    "SELECT count(*) FROM (SELECT source FROM flight WHERE price > 21)",
    false,
    [],
  ],
  [
    "are floats in a query in FROM",
    "SELECT count(*) FROM (SELECT source FROM flight WHERE price > 20)",
    "SELECT count(*) FROM (SELECT source FROM flight WHERE price > 20.0)",
    true,
    [],
  ],
  ["the number of LIMIT", `${FLIGHT} ORDER BY price LIMIT 1`, `${FLIGHT} ORDER BY price LIMIT 5`, true, []],
  [
    "the number of LIMIT in a query that is a value",
    `${AIRPORT} WHERE code = (SELECT source FROM flight ORDER BY price LIMIT 1)`,
    `${AIRPORT} WHERE code = (SELECT source FROM flight ORDER BY price LIMIT 2)`,
    false,
    ["where"],
  ],
];

const KEYS: readonly Case[] = [
  ["two columns on one key", "SELECT source FROM flight", "SELECT destination FROM flight", true, []],
  ["a column without a key", "SELECT source FROM flight", FLIGHT, false, ["select", "select(no AGG)"]],
  [
    "columns on different keys",
    "SELECT source FROM flight",
    "SELECT airline_id FROM flight",
    false,
    ["select", "select(no AGG)"],
  ],
  [
    "a key and its reference, other tables",
    "SELECT source FROM flight",
    "SELECT code FROM airport",
    false,
    [],
  ],
  [
    "both ends of a join",
    "SELECT booking.flight_no FROM flight JOIN booking",
    "SELECT flight.flight_no FROM flight JOIN booking",
    true,
    [],
  ],
  ["WHERE", `${FLIGHT} WHERE source = 'a'`, `${FLIGHT} WHERE destination = 'a'`, true, []],
  ["GROUP BY", `${FLIGHT} GROUP BY source`, `${FLIGHT} GROUP BY destination`, true, []],
  [
    "HAVING",
    `${FLIGHT} GROUP BY price HAVING max(source) > 'a'`,
    `${FLIGHT} GROUP BY price HAVING max(destination) > 'a'`,
    true,
    [],
  ],
  ["ORDER BY", `${FLIGHT} ORDER BY source`, `${FLIGHT} ORDER BY destination`, true, []],
  [
    "not in a query that is a value",
    "SELECT name FROM airline WHERE id IN (SELECT airline_id FROM flight WHERE source = 'a')",
    "SELECT name FROM airline WHERE id IN (SELECT airline_id FROM flight WHERE destination = 'a')",
    false,
    ["where"],
  ],
  [
    "not in a query in FROM",
    "SELECT count(*) FROM (SELECT source FROM flight)",
    "SELECT count(*) FROM (SELECT destination FROM flight)",
    false,
    [],
  ],
  [
    "a branch over other tables than the outermost FROM",
    `${AIRPORT} UNION SELECT source FROM flight`,
    `${AIRPORT} UNION SELECT destination FROM flight`,
    false,
    ["IUEN"],
  ],
  [
    "a branch over the tables of the outermost FROM",
    `${FLIGHT} UNION SELECT source FROM flight`,
    `${FLIGHT} UNION SELECT destination FROM flight`,
    true,
    [],
  ],
];

const DISTINCT: readonly Case[] = [
  ["SELECT DISTINCT", AIRPORT, "SELECT DISTINCT city FROM airport", true, []],
  [
    "in an aggregate",
    "SELECT count(DISTINCT city) FROM airport",
    "SELECT count(city) FROM airport",
    true,
    [],
  ],
  [
    "in a branch",
    `${AIRPORT} EXCEPT SELECT DISTINCT city FROM airport`,
    `${AIRPORT} EXCEPT ${AIRPORT}`,
    true,
    [],
  ],
  [
    "in HAVING",
    `${AIRPORT} GROUP BY city HAVING count(DISTINCT code) > 1`,
    `${AIRPORT} GROUP BY city HAVING count(code) > 1`,
    true,
    [],
  ],
  [
    "counts in a query that is a value",
    `${AIRPORT} WHERE code IN (SELECT DISTINCT source FROM flight)`,
    `${AIRPORT} WHERE code IN (SELECT source FROM flight)`,
    false,
    ["where"],
  ],
  [
    "counts in an aggregate of a query that is a value",
    `${FLIGHT} WHERE price > (SELECT count(DISTINCT source) FROM flight)`,
    `${FLIGHT} WHERE price > (SELECT count(source) FROM flight)`,
    false,
    ["where"],
  ],
  [
    "counts in a query in FROM",
    "SELECT count(*) FROM (SELECT DISTINCT source FROM flight)",
    "SELECT count(*) FROM (SELECT source FROM flight)",
    false,
    [],
  ],
];

const SELECTS: readonly Case[] = [
  ["in another order", "SELECT city , code FROM airport", "SELECT code , city FROM airport", true, []],
  ["another aggregate", "SELECT max(price) FROM flight", "SELECT min(price) FROM flight", false, ["select"]],
  ["no aggregate", "SELECT max(price) FROM flight", FLIGHT, false, ["select"]],
  [
    "aggregates swapped",
    "SELECT max(price) , min(flight_no) FROM flight",
    "SELECT min(price) , max(flight_no) FROM flight",
    false,
    ["select"],
  ],
  [
    "an item twice",
    "SELECT city , city FROM airport",
    "SELECT city , code FROM airport",
    false,
    ["select", "select(no AGG)"],
  ],
  ["too few", "SELECT city , code FROM airport", AIRPORT, false, ["select", "select(no AGG)"]],
  ["too many", AIRPORT, "SELECT city , code FROM airport", false, ["select", "select(no AGG)"]],
  [
    "operands swapped",
    "SELECT price - flight_no FROM flight",
    "SELECT flight_no - price FROM flight",
    false,
    ["select", "select(no AGG)"],
  ],
  [
    "a star and a key",
    "SELECT count(*) FROM flight",
    "SELECT count(flight_no) FROM flight",
    false,
    ["select", "select(no AGG)"],
  ],
];

const WHERES: readonly Case[] = [
  [
    "in another order",
    `${AIRPORT} WHERE city = 'a' AND code = 'b'`,
    `${AIRPORT} WHERE code = 'b' AND city = 'a'`,
    true,
    [],
  ],
  ["another operator", `${FLIGHT} WHERE price > 3`, `${FLIGHT} WHERE price >= 3`, false, ["where"]],
  [
    "another column",
    `${AIRPORT} WHERE city = 'a'`,
    `${AIRPORT} WHERE code = 'a'`,
    false,
    ["where", "where(no OP)"],
  ],
  [
    "negated",
    `${AIRPORT} WHERE city IN ('a')`,
    `${AIRPORT} WHERE city NOT IN ('a')`,
    false,
    ["where", "keywords"],
  ],
  [
    "LIKE for =",
    `${AIRPORT} WHERE city = 'a'`,
    `${AIRPORT} WHERE city LIKE 'a'`,
    false,
    ["where", "keywords"],
  ],
  [
    "a column twice",
    `${AIRPORT} WHERE city = 'a' OR city = 'b'`,
    `${AIRPORT} WHERE city = 'a' OR code = 'b'`,
    false,
    ["where", "where(no OP)"],
  ],
  [
    "a bound for BETWEEN",
    `${FLIGHT} WHERE price BETWEEN 1 AND 2`,
    `${FLIGHT} WHERE price >= 1 AND price <= 2`,
    false,
    ["where", "where(no OP)", "and/or"],
  ],
  [
    "one condition fewer",
    `${AIRPORT} WHERE city = 'a' AND code = 'b'`,
    `${AIRPORT} WHERE city = 'a'`,
    false,
    ["where", "where(no OP)", "and/or"],
  ],
  ["missing", `${AIRPORT} WHERE city = 'a'`, AIRPORT, false, ["where", "where(no OP)", "keywords"]],
];

const CONNECTORS: readonly Case[] = [
  [
    "are sets",
    `${AIRPORT} WHERE city = 'a' OR code = 'b' AND country = 'c'`,
    `${AIRPORT} WHERE city = 'a' AND code = 'b' OR country = 'c'`,
    true,
    [],
  ],
  [
    "count once",
    `${FLIGHT} WHERE price = 1 AND source = 'a' AND flight_no = 2 OR airline_id = 3`,
    `${FLIGHT} WHERE price = 1 AND source = 'a' OR flight_no = 2 OR airline_id = 3`,
    true,
    [],
  ],
  [
    "OR for AND",
    `${AIRPORT} WHERE city = 'a' AND code = 'b'`,
    `${AIRPORT} WHERE city = 'a' OR code = 'b'`,
    false,
    ["and/or", "keywords"],
  ],
  [
    "one at the end of the list",
    `${AIRPORT} WHERE city = 'a'`,
    `${AIRPORT} WHERE city = 'a' AND`,
    false,
    ["and/or"],
  ],
  [
    // A column operand goes on to the next AND, so that OR and what follows it are lost.
    "OR after a column operand",
    `${FLIGHT} WHERE price > airline_id`,
    `${FLIGHT} WHERE price > airline_id OR price = 3`,
    true,
    [],
  ],
  [
    "a condition in the place of one",
    `${AIRPORT} WHERE city = 'a'`,
    `${AIRPORT} WHERE city = 'a' code = 'b'`,
    false,
    ["and/or"],
  ],
  [
    "a condition in the place of one keeps its value",
    `${AIRPORT} WHERE city = 'a' code = 'b'`,
    `${AIRPORT} WHERE city = 'a' code = 'c'`,
    false,
    ["and/or"],
  ],
];

const GROUPS: readonly Case[] = [
  [
    "by name, whatever the table, but not for HAVING",
    "SELECT count(*) FROM airport JOIN airline GROUP BY airport.country",
    "SELECT count(*) FROM airport JOIN airline GROUP BY airline.country",
    false,
    ["group"],
  ],
  [
    "in another order",
    `${AIRPORT} GROUP BY city , code`,
    `${AIRPORT} GROUP BY code , city`,
    false,
    ["group"],
  ],
  [
    "by another column",
    `${AIRPORT} GROUP BY city`,
    `${AIRPORT} GROUP BY country`,
    false,
    ["group(no Having)", "group"],
  ],
  [
    "HAVING in another order",
    `${AIRPORT} GROUP BY city HAVING count(*) > 1 AND max(code) = 'a'`,
    `${AIRPORT} GROUP BY city HAVING max(code) = 'a' AND count(*) > 1`,
    false,
    ["group"],
  ],
  [
    "HAVING with OR for AND",
    `${AIRPORT} GROUP BY city HAVING count(*) > 1 AND max(code) = 'a'`,
    `${AIRPORT} GROUP BY city HAVING count(*) > 1 OR max(code) = 'a'`,
    false,
    ["group", "keywords"],
  ],
  [
    "without HAVING",
    `${AIRPORT} GROUP BY city HAVING count(*) > 1`,
    `${AIRPORT} GROUP BY city`,
    false,
    ["group", "keywords"],
  ],
  ["missing", `${AIRPORT} GROUP BY city`, AIRPORT, false, ["group(no Having)", "group", "keywords"]],
];

const ORDERS: readonly Case[] = [
  ["ASC is the default", `${FLIGHT} ORDER BY price`, `${FLIGHT} ORDER BY price ASC`, true, []],
  ["DESC for ASC", `${FLIGHT} ORDER BY price`, `${FLIGHT} ORDER BY price DESC`, false, ["order", "keywords"]],
  [
    "the last direction is that of all",
    `${FLIGHT} ORDER BY price DESC , flight_no ASC`,
    `${FLIGHT} ORDER BY price , flight_no`,
    true,
    [],
  ],
  [
    "columns in another order",
    `${FLIGHT} ORDER BY price , flight_no`,
    `${FLIGHT} ORDER BY flight_no , price`,
    false,
    ["order"],
  ],
  ["only in the prediction", FLIGHT, `${FLIGHT} ORDER BY price`, false, ["order", "keywords"]],
  ["only in the gold", `${FLIGHT} ORDER BY price`, FLIGHT, false, ["order", "keywords"]],
  [
    "LIMIT on one side",
    `${FLIGHT} ORDER BY price`,
    `${FLIGHT} ORDER BY price LIMIT 1`,
    false,
    ["order", "keywords"],
  ],
  ["LIMIT alone on one side", FLIGHT, `${FLIGHT} LIMIT 1`, false, ["keywords"]],
];

const BRANCHES: readonly Case[] = [
  [
    "another branch",
    `${AIRPORT} UNION SELECT name FROM airline`,
    `${AIRPORT} UNION SELECT country FROM airline`,
    false,
    ["IUEN"],
  ],
  [
    "another operation",
    `${AIRPORT} UNION SELECT name FROM airline`,
    `${AIRPORT} INTERSECT SELECT name FROM airline`,
    false,
    ["IUEN", "keywords"],
  ],
  [
    "swapped",
    `${AIRPORT} INTERSECT SELECT name FROM airline`,
    `SELECT name FROM airline INTERSECT ${AIRPORT}`,
    false,
    ["select", "select(no AGG)", "IUEN"],
  ],
  [
    "other tables in a branch",
    `${AIRPORT} UNION SELECT city FROM airport JOIN flight`,
    `${AIRPORT} UNION ${AIRPORT}`,
    false,
    ["IUEN"],
  ],
  [
    "a branch of a branch",
    `${AIRPORT} UNION ${AIRPORT} EXCEPT SELECT name FROM airline`,
    `${AIRPORT} UNION ${AIRPORT} EXCEPT SELECT country FROM airline`,
    false,
    ["IUEN"],
  ],
  ["missing", `${AIRPORT} EXCEPT ${AIRPORT}`, AIRPORT, false, ["IUEN", "keywords"]],
  ["only in the prediction", AIRPORT, `${AIRPORT} EXCEPT ${AIRPORT}`, false, ["IUEN", "keywords"]],
];

const TABLES: readonly Case[] = [
  [
    "in another order",
    "SELECT name FROM airline JOIN flight ON airline.id = flight.airline_id",
    "SELECT name FROM flight JOIN airline ON airline.id = flight.airline_id",
    true,
    [],
  ],
  [
    "joined on other columns",
    "SELECT city FROM airport JOIN flight ON airport.code = flight.source",
    "SELECT city FROM airport JOIN flight ON airport.country = flight.price",
    true,
    [],
  ],
  [
    "joined without ON",
    "SELECT city FROM airport JOIN flight ON airport.code = flight.source",
    "SELECT city FROM airport JOIN flight",
    true,
    [],
  ],
  [
    "OR in ON",
    "SELECT city FROM airport JOIN flight ON airport.code = 'a'",
    "SELECT city FROM airport JOIN flight ON airport.code = 'a' OR airport.code = 'b'",
    false,
    ["keywords"],
  ],
  [
    "LIKE in ON",
    "SELECT city FROM airport JOIN flight ON airport.code = flight.source",
    "SELECT city FROM airport JOIN flight ON airport.code LIKE flight.source",
    false,
    ["keywords"],
  ],
  ["one too many", AIRPORT, "SELECT city FROM airport JOIN flight", false, []],
  ["one too few", "SELECT city FROM airport JOIN flight", AIRPORT, false, []],
  ["twice", FLIGHT, "SELECT T1.price FROM flight AS T1 JOIN flight AS T2", false, []],
  [
    "twice on both sides",
    "SELECT T1.price FROM flight AS T1 JOIN flight AS T2",
    "SELECT A.price FROM flight AS A JOIN flight AS B",
    true,
    [],
  ],
  [
    "a query and a table",
    "SELECT count(*) FROM (SELECT city FROM airport)",
    "SELECT count(*) FROM airport",
    false,
    [],
  ],
  [
    "a query with its columns in another order",
    "SELECT count(*) FROM (SELECT city , code FROM airport)",
    "SELECT count(*) FROM (SELECT code , city FROM airport)",
    false,
    [],
  ],
  [
    "one query twice",
    "SELECT count(*) FROM (SELECT city FROM airport) (SELECT city FROM airport)",
    "SELECT count(*) FROM (SELECT city FROM airport) (SELECT city FROM airport)",
    true,
    [],
  ],
];

const STOPS: readonly Case[] = [
  ["two queries in FROM", `SELECT count(*) ${TWO_QUERIES}`, `SELECT count(*) ${TWO_QUERIES}`, null, []],
  [
    "two queries in the prediction's FROM",
    "SELECT count(*) FROM flight",
    `SELECT count(*) ${TWO_QUERIES}`,
    null,
    [],
  ],
  [
    "not where a component differs before",
    `SELECT count(*) ${TWO_QUERIES}`,
    `SELECT count(*) , count(*) ${TWO_QUERIES}`,
    false,
    ["select", "select(no AGG)"],
  ],
  [
    "two queries in FROM of a branch",
    `${AIRPORT} UNION SELECT count(*) ${TWO_QUERIES}`,
    `${AIRPORT} UNION SELECT count(*) ${TWO_QUERIES}`,
    null,
    ["IUEN"],
  ],
  [
    "not for a query that is never compared",
    AIRPORT,
    `${AIRPORT} UNION SELECT count(*) ${TWO_QUERIES}`,
    false,
    ["IUEN", "keywords"],
  ],
  [
    "two queries that no comparison finds equal",
    "SELECT count(*) FROM (SELECT city FROM airport WHERE code = nan) (SELECT city FROM airport WHERE code = nan)",
    "SELECT count(*) FROM airport",
    null,
    [],
  ],
  [
    "a connector in the place of a condition",
    `${AIRPORT} WHERE city = 'a'`,
    `${AIRPORT} WHERE city = 'a' code = 'b' AND country = 'c'`,
    null,
    ["and/or"],
  ],
  [
    "a query in the place of a connector",
    `${FLIGHT} WHERE price = 1`,
    `${FLIGHT} WHERE price = 1 price = (SELECT max(price) FROM flight)`,
    null,
    ["and/or"],
  ],
];

describe("spiderExactMatch", () => {
  describe.each([
    ["values", VALUES],
    ["foreign keys", KEYS],
    ["DISTINCT", DISTINCT],
    ["SELECT", SELECTS],
    ["WHERE", WHERES],
    ["connectors", CONNECTORS],
    ["GROUP BY", GROUPS],
    ["ORDER BY", ORDERS],
    ["set operations", BRANCHES],
    ["FROM", TABLES],
    ["what stops the official script", STOPS],
  ] as const)("%s", (_name, cases) => {
    it.each(cases)("%s: %s | %s", (_why, gold, predicted, exact, components) => {
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
  ])("%s of %s | %s", (component, gold, predicted, labelTotal, predTotal, value) => {
    expect(match(gold, predicted).partial[component]).toEqual({
      acc: value,
      rec: value,
      f1: value,
      labelTotal,
      predTotal,
    });
  });
});
