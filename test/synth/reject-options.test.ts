import { expect, it } from "vitest";
import { RejectOptions } from "../../synth/reject-options.ts";

it("the defaults are the paper's", () => {
  expect(RejectOptions.parse({})).toEqual({
    metrics: ["spider-ex", "spider-em"],
    easy: { labels: ["easy"], passRate: 1, minimumN: 20, maxInteractions: 2, limit: 2 },
    hard: { minInteractions: 2, limit: 3 },
    checksTraces: true,
  });
});
