import { expect, it } from "vitest";
import { step } from "../../pipelines/pipeline.ts";
import { wordsStage } from "../fakes/pipeline-stages.ts";

it("a step shows nothing, has no options and allows no rejects unless it says so", () => {
  const inputs = {};
  expect(step({ id: "words", stage: wordsStage, inputs })).toEqual({
    id: "words",
    stage: wordsStage,
    inputs,
    options: {},
    runtime: {},
    publish: null,
    maxRejectRate: 0,
  });
  const told = { options: { text: "a" }, runtime: { concurrency: 2 }, publish: "out", maxRejectRate: 0.5 };
  expect(step({ id: "words", stage: wordsStage, inputs, ...told })).toMatchObject(told);
});
