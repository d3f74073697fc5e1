import { hostile } from "./hostile-statement.ts";
import type { HostileStatement } from "./hostile-statement.ts";

const NUMBERS = "WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r)";

/** Statements that never end, or not soon. */
const ENDLESS = [
  `${NUMBERS} SELECT count(*) FROM r`,
  `${NUMBERS} SELECT max(i) FROM r WHERE i < 0`,
  "WITH RECURSIVE r (i) AS (VALUES (1) UNION SELECT (i + 1) % 2000000000 FROM r) SELECT sum(i) FROM r",
  `${NUMBERS} SELECT i FROM r WHERE i < 0`,
  `${NUMBERS} SELECT 1 FROM shop WHERE id = -1 OR EXISTS (SELECT 1 FROM r WHERE i < 0)`,
  "WITH RECURSIVE a (i) AS (SELECT 1 UNION ALL SELECT i FROM a), b (i) AS (SELECT i FROM a) SELECT count(*) FROM b",
  `SELECT count(*) FROM ${Array.from({ length: 20 }, (_, index) => `sale AS s${index}`).join(", ")}`,
  `SELECT count(*) FROM ${Array.from({ length: 12 }, (_, index) => `sale AS s${index}`).join(" CROSS JOIN ")}`,
  `SELECT s0.day FROM ${Array.from({ length: 16 }, (_, index) => `sale AS s${index}`).join(" JOIN ")} WHERE s0.day || s15.day = 'never'`,
  `SELECT count(*) FROM json_each('[${"1,".repeat(3000)}1]') a, json_each('[${"1,".repeat(3000)}1]') b, json_each('[${"1,".repeat(3000)}1]') c`,
  `${NUMBERS} SELECT sum(instr(hex(zeroblob(1000000)), '1')) FROM r`,
  `${NUMBERS} SELECT row_number() OVER (ORDER BY i) FROM r`,
];

/** Statements whose rows or bytes have no end. */
const FLOODS = [
  `${NUMBERS} SELECT i FROM r`,
  `${NUMBERS} SELECT i, i, i, i, i, i, i, i FROM r`,
  "SELECT a.day, b.day, c.day, d.day FROM sale a, sale b, sale c, sale d",
  "SELECT a.day FROM sale a JOIN sale b JOIN sale c JOIN sale d",
  `SELECT hex(zeroblob(200000))`,
  `SELECT randomblob(500000)`,
  `SELECT zeroblob(20000000)`,
  `SELECT printf('%.*c', 500000, 'x')`,
  `SELECT printf('%5000000d', 1)`,
  `SELECT replace(hex(zeroblob(5000)), '00', '${"y".repeat(100)}')`,
  `SELECT group_concat(hex(randomblob(100)), '${"x".repeat(100)}') FROM sale a, sale b`,
  `SELECT json_group_array(a.day) FROM sale a, sale b, sale c`,
  `SELECT json_object('a', hex(zeroblob(300000)))`,
  `VALUES ${Array.from({ length: 2000 }, (_, index) => `(${index})`).join(", ")}`,
];

/** Statements that ask for more memory than there is, or that SQLite makes. */
const MEMORY = [
  `WITH RECURSIVE r (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 990) SELECT ${Array.from({ length: 1990 }, (_, index) => `i * 1000000007 + ${index}`).join(", ")} FROM r`,
  "SELECT length(randomblob(1000000000))",
  "SELECT zeroblob(1000000000)",
  "SELECT hex(zeroblob(100000000))",
  "SELECT length(printf('%.*c', 2000000000, 'x'))",
  "SELECT length(printf('%1000000000d', 1))",
  "SELECT length(replace(hex(zeroblob(10000000)), '0', 'xxxxxxxxxxxxxxxxxxxx'))",
  "SELECT length(group_concat(a.day || hex(zeroblob(100000)))) FROM sale a, sale b, sale c",
  "SELECT length(json_group_array(hex(randomblob(100000)))) FROM sale a, sale b, sale c",
  "SELECT length(json_pretty(json_group_array(hex(randomblob(100000))))) FROM sale a, sale b, sale c",
  `${NUMBERS} SELECT length(group_concat(i, hex(zeroblob(1000000)))) FROM r`,
  "WITH RECURSIVE d (t) AS (SELECT 'xxxxxxxx' UNION ALL SELECT t || t FROM d) SELECT max(length(t)) FROM d",
  `${NUMBERS} SELECT i, randomblob(100000) AS b FROM r ORDER BY b`,
  `${NUMBERS} SELECT DISTINCT randomblob(10000) FROM r`,
  `WITH q AS MATERIALIZED (SELECT randomblob(100000) AS b FROM sale a, sale b, sale c) SELECT count(*) FROM q a, q b`,
  `SELECT ${Array.from({ length: 100 }, () => "randomblob(120000000)").join(", ")}`,
  "SELECT median(length(hex(zeroblob(1000000)))) FROM sale a, sale b, sale c, sale d, sale e",
];

function nested(open: string, inner: string, close: string, depth: number): string {
  return open.repeat(depth) + inner + close.repeat(depth);
}

/** Statements beyond what SQLite parses. */
const DEEP = [
  `SELECT ${nested("(", "1", ")", 5000)}`,
  `SELECT ${nested("(", "1", ")", 300_000)}`,
  `SELECT ${"-".repeat(2)}\n${"+".repeat(100_000)}1`,
  `SELECT ${"NOT ".repeat(50_000)}1`,
  `SELECT ${Array.from({ length: 5000 }, () => "1").join("+")}`,
  `SELECT ${nested("abs(", "1", ")", 3000)}`,
  `SELECT ${nested("CASE WHEN 1 THEN ", "1", " END", 3000)}`,
  `SELECT ${nested("(SELECT ", "1", ")", 2000)}`,
  nested("SELECT * FROM (", "SELECT 1", ")", 2000),
  `SELECT 1 WHERE ${nested("EXISTS (SELECT 1 WHERE ", "1", ")", 2000)}`,
  `SELECT ${Array.from({ length: 3000 }, (_, index) => index).join(", ")}`,
  `SELECT ${Array.from({ length: 200_000 }, () => "*").join(", ")} FROM shop`,
  Array.from({ length: 2000 }, () => "SELECT 1").join(" UNION "),
  Array.from({ length: 20_000 }, () => "SELECT 1").join(" EXCEPT "),
  `SELECT count(*) FROM ${Array.from({ length: 100 }, (_, index) => `shop s${index}`).join(", ")}`,
  `SELECT coalesce(${Array.from({ length: 5000 }, () => "NULL").join(", ")})`,
  `SELECT * FROM shop WHERE name LIKE '${"%".repeat(60_000)}'`,
  `SELECT * FROM json_each('${nested("[", "", "]", 20_000)}')`,
  `SELECT json_extract('${nested("[", "1", "]", 5000)}', '$')`,
  `SELECT ${"x".repeat(900_000)}`,
  `SELECT ${"x".repeat(900_000)}.${"y".repeat(90_000)}`,
  `SELECT :${"x".repeat(900_000)}`,
  `SELECT ${"((((x".repeat(100_000)}`,
  `SELECT ${"'a' 'b' ".repeat(100_000)}`,
  `WITH ${Array.from({ length: 5000 }, (_, index) => `q${index} AS (SELECT q${index + 1}.i FROM q${index + 1}`).join("), ")}) SELECT * FROM q0`,
  `SELECT ${nested("max(1, ", "1", ")", 5000)} OVER (`,
];

/** Statements that are large and still run. */
const WIDE = [
  `SELECT ('${"a".repeat(40_000)}') LIKE '${"%a_".repeat(12_000)}b'`,
  `SELECT '${"a".repeat(300)}' GLOB '${"*a".repeat(40)}*b'`,
  `SELECT '${"a".repeat(300)}' LIKE '${"%a".repeat(40)}%b'`,
  `SELECT * FROM shop WHERE id IN (${Array.from({ length: 100_000 }, (_, index) => index).join(", ")})`,
  `SELECT ${Array.from({ length: 2000 }, (_, index) => index).join(", ")}`,
  Array.from({ length: 500 }, () => "SELECT 1").join(" UNION "),
  `SELECT '${"x".repeat(90_000)}' = 'y'`,
  `SELECT id ${"-- c\n".repeat(100_000)} FROM shop`,
  `SELECT id ${"/**/".repeat(100_000)} FROM shop`,
  `SELECT id${" ".repeat(900_000)}FROM shop`,
  `WITH ${Array.from({ length: 500 }, (_, index) => `q${index} AS (SELECT ${index})`).join(", ")} SELECT 1`,
  `SELECT ${nested("(", "1", ")", 50)}`,
  `SELECT 1 AS "${"n".repeat(900_000)}"`,
  `SELECT a.*, a.* FROM (SELECT 1 AS "${"n".repeat(400_000)}") a`,
];

const LONG = [`SELECT 1${" ".repeat(1_000_001)}`, `SELECT '${"x".repeat(2_000_000)}'`];

/** A name of 400,000 characters, 1,900 times: more than there is memory for, were it all made. */
const NAMES = `SELECT ${Array.from({ length: 1900 }, () => "a.*").join(", ")} FROM (SELECT 1 AS "${"n".repeat(400_000)}") a`;

/** Common tables that refer to the one before twice: two to the thirtieth when they are spelled out. */
const DOUBLING = `WITH q0 AS (SELECT 1 AS i), ${Array.from(
  { length: 30 },
  (_, index) => `q${index + 1} AS (SELECT a.i FROM q${index} a, q${index} b)`,
).join(", ")} SELECT count(*) FROM q30`;

/** Statements that use CPU time, memory, rows or bytes without end, or break the parser. */
export const BOMBS: readonly HostileStatement[] = [
  ...hostile("timeout|crashed", ENDLESS, { heavy: true }),
  ...hostile("too_large", FLOODS),
  ...hostile("crashed|error|timeout|too_large|ok", MEMORY, { heavy: true }),
  ...hostile("error", DEEP),
  ...hostile("ok|empty", WIDE),
  ...hostile("denied", LONG),
  ...hostile("ok|crashed|timeout|too_large|error", [NAMES, DOUBLING], { heavy: true }),
];
