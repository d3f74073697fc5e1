import { describe, expect, it } from "vitest";
import type { SpiderHardness } from "../../sql/spider-hardness.ts";
import { spiderHardness } from "../../sql/spider-hardness.ts";
import { parseSpiderQuery } from "../../sql/spider-parser.ts";
import { CONCERT_SCHEMA } from "./concert-schema.ts";

function hardnessOf(sql: string): SpiderHardness {
  const result = parseSpiderQuery(sql, CONCERT_SCHEMA);
  if (!result.ok) throw new Error(`${sql}: ${result.message}`);
  return spiderHardness(result.query);
}

/** Counts in comments: clauses / nested queries / repetitions. */
describe("spiderHardness", () => {
  it.each<readonly [string, SpiderHardness]>([
    // 0/0/0, 1/0/0
    ["SELECT count(*) FROM singer", "easy"],
    ["SELECT name FROM singer WHERE age > 3", "easy"],
    // FROM queries do not count: 0/0/0
    ["SELECT count(*) FROM (SELECT name , age FROM singer WHERE age > 3 ORDER BY age LIMIT 1)", "easy"],
    // 0/0/1, 0/0/2, 1/0/2
    ["SELECT name , age FROM singer", "medium"],
    ["SELECT max(age) , min(age) FROM singer", "medium"],
    ["SELECT max(age) , min(age) FROM singer GROUP BY country", "medium"],
    // 2/0/0, 2/0/1
    ["SELECT name FROM singer ORDER BY age LIMIT 1", "medium"],
    ["SELECT name , age FROM singer ORDER BY age LIMIT 1", "medium"],
    // LIKE counts: 2/0/0; or counts: 2/0/1; the join counts: 1/0/0
    ["SELECT name FROM singer WHERE name LIKE 'a'", "medium"],
    ["SELECT name FROM singer WHERE age = 3 OR age = 4", "medium"],
    ["SELECT age FROM singer JOIN concert ON singer.name = concert.name", "easy"],
    // or and LIKE in ON and HAVING count too: 1 join + or + LIKE = 3/0/0; group + LIKE = 2/0/0
    ["SELECT age FROM singer JOIN concert ON singer.name = 'a' or concert.name LIKE 'b'", "hard"],
    ["SELECT country FROM singer GROUP BY country HAVING max(name) LIKE 'a'", "medium"],
    // 1/0/3, 2/0/2, 3/0/2
    ["SELECT max(age) , min(age) FROM singer WHERE age > 3 AND age < 9", "hard"],
    ["SELECT max(age) , min(age) FROM singer WHERE age > 3 GROUP BY country", "extra"],
    ["SELECT max(age) , min(age) FROM singer WHERE age > 3 GROUP BY country ORDER BY age", "hard"],
    // 3/0/0, 4/0/0
    ["SELECT name FROM singer WHERE age > 3 ORDER BY age LIMIT 1", "hard"],
    ["SELECT name FROM singer WHERE age > 3 GROUP BY name ORDER BY age LIMIT 1", "extra"],
    // One nested query: 1/1/0, 0/1/0, 1/1/1
    ["SELECT name FROM singer WHERE age = (SELECT max(age) FROM singer)", "hard"],
    ["SELECT name FROM singer UNION SELECT name , year FROM concert ORDER BY year LIMIT 3", "hard"],
    ["SELECT name , age FROM singer WHERE age = (SELECT max(age) FROM singer)", "extra"],
    // Both ends of BETWEEN: 1/2/0; a branch of a branch is not at the top level: 0/1/0
    [
      "SELECT name FROM singer WHERE age BETWEEN (SELECT min(age) FROM singer) AND (SELECT max(age) FROM singer)",
      "extra",
    ],
    ["SELECT name FROM singer EXCEPT SELECT name FROM singer UNION SELECT name FROM concert", "hard"],
    // Two negated conditions count as two aggregates, beside 2+ conditions: 1/0/2; without NOT 1/0/1
    ["SELECT name , age FROM singer WHERE age NOT IN (3) AND name NOT IN ('a')", "hard"],
    ["SELECT name , age FROM singer WHERE age IN (3) AND name IN ('a')", "medium"],
    // Aggregates of HAVING do not count (1/0/1), those of ORDER BY do (2/0/2)
    ["SELECT country , count(*) FROM singer GROUP BY country HAVING avg(age) > 3", "medium"],
    ["SELECT country , count(*) FROM singer GROUP BY country ORDER BY count(*)", "extra"],
    // Two columns of GROUP BY: 2/0/1; with two select items 2/0/2
    ["SELECT country FROM singer GROUP BY country , age ORDER BY age", "medium"],
    ["SELECT country , age FROM singer GROUP BY country , age ORDER BY age", "extra"],
  ])("%s: %s", (sql, hardness) => {
    expect(hardnessOf(sql)).toBe(hardness);
  });
});
