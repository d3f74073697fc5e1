import { expect, it } from "vitest";
import { compareHardness, hardnessOf } from "../../../pipelines/report/hardness.ts";

it("takes the label of the gold, then the dataset's, then unknown", () => {
  const label = { status: "scored", label: "extra" } as const;
  const none = { status: "unscored", reason: "no_parse", message: "" } as const;
  expect(hardnessOf({ difficulty: "simple" }, { labels: { a: label } })).toBe("extra");
  expect(hardnessOf({ difficulty: "simple" }, { labels: { a: none } })).toBe("simple");
  expect(hardnessOf({ difficulty: null }, undefined)).toBe("unknown");
});

it("orders from easy to hard, unknown last", () => {
  const names = ["unknown", "zebra", "challenging", "extra", "easy", "hard", "simple", "medium", "apple"];
  expect(names.sort(compareHardness)).toEqual([
    "easy",
    "medium",
    "hard",
    "extra",
    "simple",
    "challenging",
    "apple",
    "zebra",
    "unknown",
  ]);
});
