import { expect, it } from "vitest";
import spiderEx from "../../../curation/metrics/spider-ex-keep-distinct.ts";

it("keeps DISTINCT in both statements", () => {
  const rewriting = spiderEx.rewrite?.("SELECT DISTINCT a", "SELECT DISTINCT b; SELECT 1");
  expect(rewriting).toMatchObject({ goldSql: "SELECT DISTINCT a", omitted: null });
  expect(rewriting !== undefined && "predictedSql" in rewriting && [...rewriting.predictedSql]).toEqual([
    "SELECT DISTINCT b; SELECT 1",
  ]);
});
