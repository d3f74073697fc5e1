import { expect, it } from "vitest";
import type { AccuracyRow } from "../../../pipelines/accuracy.ts";
import { interactionFigures } from "../../../pipelines/report/interaction-figures.ts";
import { systemKey } from "../../../pipelines/report/system-labels.ts";

function row(sampleIndex: number, mean: number, group = "interactions"): AccuracyRow {
  return {
    group,
    system: `m#${sampleIndex}`,
    model: { name: "m", revision: "1" },
    setting: "s",
    round: 0,
    sampleIndex,
    metric: "bird-ex",
    n: 10,
    mean,
    standardError: 0,
    low: 0,
    high: 1,
    unscored: 1,
    unexecutable: 0,
    missing: 0,
  };
}

it("means the samples of a system, and takes dialogues for what they are", () => {
  const labels = new Map([[systemKey(row(0, 0)), "mine"]]);
  const [figure, ...others] = interactionFigures([row(0, 0.6), row(1, 0.8), row(0, 0.1, "all")], labels);
  expect(others).toEqual([]);
  expect(figure).toMatchObject({
    system: "mine",
    group: "interactions",
    questions: 10,
    answers: 20,
    unscored: 2,
  });
  expect(figure?.mean).toBeCloseTo(0.7, 12);
  expect(figure?.low).toBeCloseTo(0.3968, 4);
  expect(figure?.high).toBeCloseTo(0.8922, 4);
});
