import { expect, it } from "vitest";
import spiderEx from "../../../curation/metrics/spider-ex-plug-value.ts";

it("tries the prediction as it is, then with the gold's values", () => {
  const rewriting = spiderEx.rewrite?.("SELECT DISTINCT a WHERE b = 'x'", 'SELECT a WHERE b = "value"');
  expect(rewriting !== undefined && "predictedSql" in rewriting && [...rewriting.predictedSql]).toEqual([
    'SELECT a WHERE b = "value"',
    "select a where b = 'x'",
  ]);
});
