import { describe, expect, it } from "vitest";
import type { Cell } from "../../core/execution.ts";
import { scored, unscored } from "../../core/verdict.ts";
import { testSuiteMetric } from "../../curation/test-suite-metric.ts";
import { pairOf, unnamed } from "./metrics/judged-pair.ts";

const plain = testSuiteMetric({ keepDistinct: false, plugValue: false });
const distinct = testSuiteMetric({ keepDistinct: true, plugValue: false });
const plugging = testSuiteMetric({ keepDistinct: false, plugValue: true });

function rewritten(metric: typeof plain, gold: string, predicted: string) {
  const rewriting = metric.rewrite?.(gold, predicted);
  if (rewriting === undefined || "status" in rewriting) return rewriting;
  return { ...rewriting, predictedSql: [...rewriting.predictedSql] };
}

describe("rewriting", () => {
  it("takes the first statements without DISTINCT", () => {
    expect(rewritten(plain, "SELECT DISTINCT a WHERE b > = YEAR(CURDATE())", "SELECT 1; SELECT 2")).toEqual({
      goldSql: "SELECT  a WHERE b >= 2020",
      predictedSql: ["SELECT 1; "],
      omitted: null,
    });
  });

  it("leaves them where DISTINCT is kept", () => {
    expect(rewritten(distinct, "SELECT DISTINCT a WHERE b ! = 1", "SELECT 1; SELECT 2")).toEqual({
      goldSql: "SELECT DISTINCT a WHERE b != 1",
      predictedSql: ["SELECT 1; SELECT 2"],
      omitted: null,
    });
    expect(rewritten(distinct, "SELECT 1", " ")).toMatchObject({ predictedSql: [" "] });
  });

  it("leaves the text `value`", () => {
    expect(rewritten(plain, "SELECT value", "SELECT value")).toMatchObject({
      predictedSql: ["SELECT value"],
    });
  });

  it.each([
    [plain, "SELECT 1", " \n"],
    [plain, "", "SELECT 1"],
    [plugging, "SELECT 1", ""],
    [plugging, "SELECT 1", ";"],
  ])("has none where the official run aborts", (metric, gold, predicted) => {
    expect(rewritten(metric, gold, predicted)).toMatchObject({
      status: "unscored",
      reason: "official_crash",
    });
  });

  it("tries the gold's values in the prediction's slots", () => {
    expect(rewritten(plugging, "SELECT a WHERE b = 'x' LIMIT 2", "SELECT A WHERE b = 'y'")).toEqual({
      goldSql: "SELECT a WHERE b = 'x' LIMIT 2",
      predictedSql: ["SELECT A WHERE b = 'y'", "select a where b = 'x'", "select a where b = 2"],
      omitted: null,
    });
  });

  it("tries no more ways than its budget", () => {
    const slots = (count: number) => `SELECT ${Array.from({ length: count }, () => "7").join(" , ")}`;
    const gold = "SELECT 1 , 2";
    const most = rewritten(plugging, gold, slots(12));
    expect(most).toMatchObject({ omitted: null });
    expect(most !== undefined && "predictedSql" in most && most.predictedSql).toHaveLength(4097);
    expect(rewritten(plugging, gold, slots(13))).toEqual({
      goldSql: gold,
      predictedSql: [slots(13)],
      omitted: unscored("plug_value_budget", "there are 8192 ways to plug in values, at most 4096 are tried"),
    });
    const long = `SELECT '${"a".repeat(50_000)}'`;
    expect(rewritten(plugging, gold, long)).toMatchObject({ omitted: { reason: "plug_value_budget" } });
  });
});

describe("judging", () => {
  const rows: Cell[][] = [["a"], ["b"]];
  const turned: Cell[][] = [["b"], ["a"]];

  it("heeds the order of rows where the gold says so", () => {
    const judge = (gold: string) => plain.judge(pairOf(unnamed(rows), unnamed(turned), { gold }));
    expect(judge("SELECT a FROM t")).toEqual(scored(1));
    expect(judge("SELECT a FROM t ORDER BY a")).toEqual(scored(0));
    expect(judge("SELECT a FROM (SELECT a FROM t order by a)")).toEqual(scored(0));
    expect(judge("SELECT a FROM t ORDER  BY a")).toEqual(scored(1));
  });

  it("wants every file of a database and says how it departs", () => {
    for (const metric of [plain, distinct, plugging])
      expect(metric.needs).toEqual({ rows: true, everyFile: true });
    expect(plugging.deviations.length).toBe(plain.deviations.length + 1);
  });
});
