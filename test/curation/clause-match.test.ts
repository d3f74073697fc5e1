import { describe, expect, it } from "vitest";
import { clauseMatch, clauseScores } from "../../curation/clause-match.ts";

describe("clauseScores", () => {
  it.each([
    ["SELECT a FROM t", "SELECT a FROM t", { select: 1, join: 1 }],
    // 1 of 2 against 1 of 1: 2 * 1 / 3
    ["SELECT a, b FROM t", "SELECT a FROM t", { select: 2 / 3, join: 1 }],
    ["SELECT a FROM t WHERE b = 1", "SELECT a FROM t", { select: 1, where: 0, join: 1 }],
    ["SELECT a FROM t WHERE b = 1", "SELECT a FROM t WHERE b = 2", { select: 1, where: 0, join: 1 }],
    ["SELECT a FROM t WHERE b AND c", "SELECT a FROM t WHERE c AND d", { select: 1, where: 0.5, join: 1 }],
    // items b, c | b, c, shape
    ["SELECT a FROM t WHERE b AND c", "SELECT a FROM t WHERE b OR c", { select: 1, where: 0.8, join: 1 }],
    // t, u, the comparison | t
    ["SELECT 1 FROM t JOIN u ON t.i = u.i", "SELECT 1 FROM t", { select: 1, join: 0.5 }],
    [
      "SELECT a FROM t GROUP BY a HAVING b",
      "SELECT a FROM t GROUP BY a",
      { select: 1, join: 1, group: 2 / 3 },
    ],
    [
      "SELECT a FROM t ORDER BY a DESC LIMIT 1",
      "SELECT a FROM t ORDER BY a LIMIT 1",
      { select: 1, join: 1, order: 0.5 },
    ],
    ["SELECT DISTINCT a AS x FROM t", "SELECT a FROM t", { select: 1, join: 1 }],
    ["SELECT a FROM t UNION SELECT b FROM u", "SELECT a FROM t", { select: 2 / 3, join: 2 / 3 }],
  ])("%s | %s", (gold, predicted, expected) => {
    expect(clauseScores(gold, predicted, null)).toEqual(expected);
  });
});

describe("clauseMatch", () => {
  it.each([
    ["SELECT a FROM t", "select A from T", 1],
    ["SELECT a FROM t WHERE b = 1", "SELECT a FROM t", 2 / 3],
    ["SELECT a FROM t", "", 0],
    ["", "SELECT a FROM t", 0],
    ["", " ; -- nothing", 1],
    ["VALUES (1)", "values(1);", 1],
    ["VALUES (1)", "VALUES (2)", 0],
    ["VALUES (1)", "", 0],
  ])("%s | %s", (gold, predicted, expected) => {
    expect(clauseMatch(gold, predicted, null)).toBeCloseTo(expected, 14);
  });
});
