import type { SeededRandom } from "../../core/random.ts";
import { tokenize } from "../../sql/lexer.ts";
import { BOMBS } from "../e2e/hostile-bombs.ts";
import { READS } from "../e2e/hostile-reads.ts";
import { WRITES } from "../e2e/hostile-writes.ts";

const LONGEST_SEED = 400;

/** Statements to start from: none that runs up to a limit, as nothing stops it here. */
const SEEDS = [...WRITES, ...READS, ...BOMBS.filter(({ heavy }) => !heavy)]
  .map(({ sql }) => sql)
  .filter(
    (sql) => sql.length <= LONGEST_SEED && !/\b(?:recursive|zeroblob|randomblob|printf|flood)\b/i.test(sql),
  );

const READING_SEEDS = [
  "SELECT name FROM shop WHERE id IN (SELECT shop_id FROM sale GROUP BY shop_id HAVING count(*) > 1)",
  "SELECT T1.name, count(*) FROM shop AS T1 JOIN sale AS T2 ON T1.id = T2.shop_id GROUP BY T1.name ORDER BY count(*) DESC LIMIT 1",
  "SELECT name FROM shop EXCEPT SELECT name FROM shop WHERE rating BETWEEN 1 AND 2 OR name LIKE '%a%'",
  "SELECT DISTINCT max(rating) - min(rating), avg(rating) FROM shop WHERE NOT name = 'x' UNION SELECT 1, 2",
  "WITH a (x) AS MATERIALIZED (SELECT id FROM shop), b AS (SELECT 2) SELECT * FROM a, b WHERE x IN (1, 2)",
  "SELECT name, row_number() OVER (PARTITION BY rating ORDER BY id) FROM shop; -- the end",
  "EXPLAIN QUERY PLAN SELECT CASE WHEN id = 1 THEN 'a;b' ELSE \"c\" END FROM [shop] /* a; b */",
  "VALUES (1, 'a'), (x'00', NULL)",
  "SELECT key, value FROM json_each('[1, {\"a\": 2}]') WHERE value ->> '$.a' = 2",
  "PRAGMA table_info('shop')",
];

const WORDS = (
  "SELECT VALUES WITH EXPLAIN QUERY PLAN INSERT REPLACE UPDATE DELETE ATTACH DETACH VACUUM INTO PRAGMA BEGIN " +
  "COMMIT SAVEPOINT RELEASE CREATE TEMP TABLE VIEW DROP ALTER REINDEX ANALYZE RETURNING FROM WHERE JOIN ON AS " +
  "GROUP BY HAVING ORDER LIMIT OFFSET UNION ALL EXCEPT INTERSECT IN EXISTS BETWEEN LIKE GLOB CASE WHEN THEN ELSE " +
  "END NOT NULL AND OR IS DISTINCT MATERIALIZED CAST COLLATE OVER PARTITION FILTER INDEXED DEFAULT SET " +
  "shop sale id name rating day shop_id t1 T2 count max abs load_extension sqlite_master pragma_table_info " +
  "table_info user_version main temp x X e E _ $ @ # :"
).split(" ");

const MARKS = [
  ..."( ) , ; . + - * / % & | ~ < > = == <> != <= >= << >> || -> ->> ' '' \" \"\" ` [ ] \\ ! ^ { } ? ?1 :a @b $c::d(e) #1".split(
    " ",
  ),
  ..."1 0 1.5 .5 5. 1e9 1e 0x1F 0x 1_000 1__0 9223372036854775808 'a' 'it''s' \"name\" [name] `id` x'00' x'0' X'AB'".split(
    " ",
  ),
  ..."-- /* */ /**/ /*/ --\n /*;*/ ;-- */;".split(" "),
  " ",
  "\n",
  "\r",
  "\t",
  "\f",
  "\v",
  "\0",
  "\u00A0",
  "\u200B",
  "\uFEFF",
  "\uFF24",
  "\u00E9",
  "\uD800",
  "\u{1F426}",
];

/** A text near the grammar of SQL: a statement with changes, a part of one in another, or words and marks. */
export function randomText(random: SeededRandom): string {
  const kind = random.integer(10);
  if (kind === 0) return pieces(random, 1 + random.integer(30));
  if (kind === 1) return Array.from({ length: random.integer(40) }, () => anyCharacter(random)).join("");
  let text = random.pick(kind < 7 ? READING_SEEDS : SEEDS) as string;
  for (let changes = random.integer(5); changes > 0; changes -= 1) text = changed(random, text);
  return text;
}

function pieces(random: SeededRandom, count: number): string {
  return Array.from({ length: count }, () => piece(random)).join(random.pick(["", " ", " ", " "]));
}

function piece(random: SeededRandom): string {
  return random.pick(random.integer(2) === 0 ? WORDS : MARKS) as string;
}

function anyCharacter(random: SeededRandom): string {
  return String.fromCharCode(random.integer(random.integer(3) === 0 ? 0x1_0000 : 0x80));
}

function changed(random: SeededRandom, text: string): string {
  const tokens = tokenize(text).map((token) => token.text);
  const at = random.integer(tokens.length + 1);
  switch (random.integer(6)) {
    case 0:
      return tokens.toSpliced(at, 1).join("");
    case 1:
      return tokens.toSpliced(at, 0, piece(random)).join("");
    case 2:
      return tokens.toSpliced(at, 1, piece(random)).join("");
    case 3:
      return tokens.toSpliced(at, 0, random.pick(SEEDS) as string).join("");
    case 4:
      return tokens.slice(0, at).join("") + (random.pick(READING_SEEDS) as string);
    default:
      return tokens.toSpliced(at, 0, ...tokens.slice(at, at + random.integer(4))).join("");
  }
}
