import type { SpiderMatchCase } from "./spider-match-case.ts";
import { AIRPORT, FLIGHT } from "./spider-match-case.ts";

export const SELECT_CASES: readonly SpiderMatchCase[] = [
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

export const WHERE_CASES: readonly SpiderMatchCase[] = [
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

export const CONNECTOR_CASES: readonly SpiderMatchCase[] = [
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

export const GROUP_CASES: readonly SpiderMatchCase[] = [
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

export const ORDER_CASES: readonly SpiderMatchCase[] = [
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
