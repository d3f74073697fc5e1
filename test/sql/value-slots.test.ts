import { describe, expect, it } from "vitest";
import { countSlots, fillSlots, takeOutValues } from "../../sql/value-slots.ts";

function slotted(sql: string): { words: string; values: readonly string[] } {
  const taken = takeOutValues(sql);
  return { words: taken?.words.join(" ") ?? "", values: taken?.values ?? [] };
}

describe("takeOutValues", () => {
  it.each<[string, string, string, string[]]>([
    [
      "texts and integers",
      "SELECT Name FROM t WHERE a = 'X y' AND b > 10 LIMIT 3",
      "select name from t where a = valuerare and b > valuerare limit valuerare",
      ["'X y'", "10", "3"],
    ],
    ["numbers with a fraction", "SELECT a WHERE b > -1.5", "select a where b > valuerare", ["-1.5"]],
    [
      "texts in double quotes, once",
      'SELECT a WHERE b = "X" OR c = "X"',
      "select a where b = valuerare or c = valuerare",
      ['"X"'],
    ],
    ["no aliases", "SELECT T1.a FROM t AS T1", "select t1 . a from t as t1", []],
    [
      "names that look like integers",
      "SELECT a5 FROM b5 AS ab5",
      "select valuerare from valuerare as ab5",
      ["a5", "b5"],
    ],
    ["no semicolons and no tabs", "SELECT\ta\t; ", "selecta", []],
    ["stars", "SELECT * FROM t AS t1", "select * from t as t1", []],
  ])("takes %s", (_, sql, words, values) => {
    expect(slotted(sql)).toEqual({ words, values });
  });

  it("splits an alias and its name where they are one word", () => {
    expect(slotted("SELECT `t1.A`").words).toBe("select `t1 . a`");
  });

  it("has nothing for a text of semicolons", () => {
    expect(takeOutValues(" ; ")).toBeNull();
  });
});

describe("fillSlots", () => {
  const two = { words: ["a", "valuerare", "b", "valuerare"], values: [] };

  it("gives every combination, with repetition", () => {
    expect(countSlots(two)).toBe(2);
    expect([...fillSlots(two, ["1", "2"])]).toEqual(["a 1 b 1", "a 1 b 2", "a 2 b 1", "a 2 b 2"]);
    expect([...fillSlots({ ...two, words: [...two.words, "valuerare"] }, ["1", "2", "3"])]).toHaveLength(27);
  });

  it("gives the statement itself without slots, and nothing without values", () => {
    expect([...fillSlots({ words: ["a"], values: [] }, [])]).toEqual(["a"]);
    expect([...fillSlots({ words: ["a"], values: [] }, ["1"])]).toEqual(["a"]);
    expect([...fillSlots(two, [])]).toEqual([]);
  });
});
