import { expect, it } from "vitest";
import { PUBLISHED_RESULTS, publishedFor } from "../../pipelines/published-results.ts";

it("has shares with a source", () => {
  for (const { value, deviation, source } of PUBLISHED_RESULTS) {
    expect(value).toBeGreaterThan(0);
    expect(value).toBeLessThan(1);
    expect(deviation ?? 0).toBeLessThan(0.01);
    expect(source).not.toBe("");
  }
});

it("gives those of a split by the metrics that are told", () => {
  const found = publishedFor([{ loader: "cosql", split: "dev" }], ["spider-em"]);
  expect(found.map(({ system, value }) => [system, value])).toEqual([
    ["MTSQL-R1 1.7B", 0.635],
    ["MTSQL-R1 4B", 0.652],
  ]);
  expect(publishedFor([{ loader: "cosql", split: "train" }], ["spider-em"])).toEqual([]);
});
