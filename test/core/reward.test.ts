import { expect, it } from "vitest";
import { RewardRow } from "../../core/reward.ts";

const ROW = {
  trajectoryId: "t",
  exampleId: "e",
  sampleIndex: 0,
  reward: "outcome",
  version: 1,
  total: 1,
  terms: { answer: { value: 1, weight: 1 } },
  reason: "ok",
  message: "",
};

it("a row has a total or says why there is none", () => {
  expect(RewardRow.parse(ROW)).toEqual(ROW);
  expect(RewardRow.safeParse({ ...ROW, total: null, terms: {}, reason: "gold_error" }).success).toBe(true);
  expect(RewardRow.safeParse({ ...ROW, total: Number.NaN }).success).toBe(false);
});
