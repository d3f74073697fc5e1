import { describe, expect, it } from "vitest";
import bigram from "../../../curation/metrics/bigram.ts";
import { pairOf, unnamed } from "./judged-pair.ts";

function score(gold: string, predicted: string): number {
  const failed = unnamed([], "error");
  const verdict = bigram.judge(pairOf(failed, failed, { gold, predicted }));
  return verdict.status === "scored" ? verdict.score : Number.NaN;
}

describe("bigram", () => {
  it.each([
    ["SELECT a FROM t", "select A  from T; ", 1],
    ["SELECT a FROM t", "SELECT a /* all */ FROM t -- all", 1],
    // 3 pairs each, of which "select a" and "a from" are shared
    ["SELECT a FROM t", "SELECT a FROM u", 0.5],
    // select-a a-from from-t | select-a a-, ,-b b-from from-t: 2 of 6
    ["SELECT a FROM t", "SELECT a, b FROM t", 1 / 3],
    // pairs are a set: the second "a ," adds nothing
    ["SELECT a, a, a", "SELECT a, a", 1],
    ["SELECT 'a b'", "SELECT 'a', b", 0],
    ["SELECT a", "", 0],
    ["", "SELECT a", 0],
    ["", " ; -- nothing", 1],
    ["SELECT", "select", 1],
    ["SELECT", "FROM", 0],
    ["SELECT", "", 0],
  ])("%s | %s", (gold, predicted, expected) => {
    expect(score(gold, predicted)).toBeCloseTo(expected, 14);
  });
});
