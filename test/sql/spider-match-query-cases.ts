import type { SpiderMatchCase } from "./spider-match-case.ts";
import { AIRPORT, FLIGHT } from "./spider-match-case.ts";

const TWO_QUERIES = "FROM (SELECT city FROM airport) (SELECT name FROM airline)";

export const BRANCH_CASES: readonly SpiderMatchCase[] = [
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

export const TABLE_CASES: readonly SpiderMatchCase[] = [
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

export const STOP_CASES: readonly SpiderMatchCase[] = [
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
