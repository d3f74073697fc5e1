import { expect, it } from "vitest";
import { DatasetConfig } from "../../pipelines/config.ts";
import { DeduplicateConfig, guardConfig } from "../../pipelines/guard-config.ts";

it("looks for nothing where it is left out", () => {
  expect(DeduplicateConfig.parse(undefined)).toBeNull();
  expect(guardConfig(DatasetConfig).parse(undefined)).toBeNull();
});

it("has defaults, and needs something to guard", () => {
  expect(DeduplicateConfig.parse({})).toEqual({ level: "normalised", threshold: 0.8 });
  const against = [{ loader: "spider", root: "spider", split: "dev" }];
  expect(guardConfig(DatasetConfig).parse({ against })).toMatchObject({
    databases: true,
    questions: true,
    minimumWords: 5,
    near: { threshold: 0.3 },
  });
  expect(guardConfig(DatasetConfig).safeParse({ against: [] }).success).toBe(false);
  expect(guardConfig(DatasetConfig).safeParse({ against, similarity: 1 }).success).toBe(false);
});
