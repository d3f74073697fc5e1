import { describe, expect, it } from "vitest";
import { scored } from "../../../core/verdict.ts";
import spiderEx from "../../../curation/metrics/spider-ex.ts";
import { pairOf, unnamed } from "./judged-pair.ts";

describe("spider-ex", () => {
  it("drops DISTINCT from both statements and permutes columns", () => {
    const rewriting = spiderEx.rewrite?.("SELECT DISTINCT a", "SELECT count(DISTINCT b)");
    expect(rewriting).toMatchObject({ goldSql: "SELECT  a" });
    expect(rewriting !== undefined && "predictedSql" in rewriting && [...rewriting.predictedSql]).toEqual([
      "SELECT count( b)",
    ]);
    expect(spiderEx.judge(pairOf(unnamed([["a", 1n]]), unnamed([[1n, "a"]])))).toEqual(scored(1));
    expect(spiderEx.judge(pairOf(unnamed([["a", 1n]]), unnamed([["a", 2n]])))).toEqual(scored(0));
  });
});
