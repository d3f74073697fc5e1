import { describe, expect, it } from "vitest";
import { conditionItems } from "../../sql/conditions.ts";
import { outlineQuery } from "../../sql/query-scan.ts";
import { QueryTexts } from "../../sql/query-texts.ts";

function items(condition: string): string[] {
  const texts = new QueryTexts(outlineQuery(condition), null);
  return conditionItems(texts, { start: 0, end: texts.units.length }).map((item) => item.text);
}

describe("conditionItems", () => {
  it.each([
    ["a = 1", ["a = ?"]],
    ["a AND b AND c", ["a", "b", "c"]],
    ["(a AND (b)) AND ((c))", ["a", "b", "c"]],
    ["a OR b", ["a", "b", "shape: _ or _"]],
    ["(a OR b) OR c", ["a", "b", "c", "shape: _ or _ or _"]],
    ["a AND b OR c AND d", ["a", "b", "c", "d", "shape: (_ and _) or (_ and _)"]],
    ["a AND (b OR c)", ["a", "b", "c", "shape: (_ or _) and _"]],
    ["(b OR c) AND a", ["b", "c", "a", "shape: (_ or _) and _"]],
    ["a BETWEEN 1 AND 2 OR b", ["a between ? and ?", "b", "shape: _ or _"]],
    ["NOT a AND b", ["not a", "b"]],
    ["a IN (SELECT b FROM t WHERE c AND d) AND e", ["a in (select b from t where c and d)", "e"]],
    ["CASE WHEN a OR b THEN 1 END = 1 AND c", ["case when a or b then ? end = ?", "c"]],
    ["t.b = t.a", ["t.a = t.b"]],
    ["b = a + 1", ["b = a + ?"]],
    ["b = 1", ["b = ?"]],
    ["b > a", ["b > a"]],
    ["(SELECT a OR b)", ["(select a or b)"]],
    ["t.or AND b", ['t."or"', "b"]],
    ["", []],
    ["AND", []],
    ["a AND", ["a"]],
  ])("%s", (condition, expected) => {
    expect(items(condition)).toEqual(expected);
  });
});
