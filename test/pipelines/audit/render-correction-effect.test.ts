import { expect, it } from "vitest";
import { renderCorrectionEffect } from "../../../pipelines/audit/render-correction-effect.ts";

it("an effect is told by its sums, its buckets, its accuracy and the questions that moved", () => {
  const moved = {
    dataset: "spider",
    split: "train",
    sourceId: "3",
    databaseId: "shop",
    exampleId: "e",
    corrected: ["gold"],
    isResampled: false,
    from: "intractable",
    to: "kept",
    before: { n: 4, c: 0 },
    after: { n: 4, c: 3 },
  };
  const effect = {
    corrections: { applied: 2, questions: 1, byField: { gold: 1, question: 1 } },
    questions: 10,
    resampled: 1,
    newlySampled: 1,
    buckets: [
      { bucket: "kept", before: 4, after: 5 },
      { bucket: "intractable", before: 6, after: 5 },
    ],
    moved: [moved, { ...moved, sourceId: "3:1", corrected: [], from: "kept", to: "kept" }, moved],
    verdicts: { metric: "bird-ex", judgedTwice: 36, wrongToRight: 3, rightToWrong: 0, other: 0 },
    accuracy: [
      {
        system: "m#0",
        setting: "single-turn",
        metric: "bird-ex",
        before: { n: 10, mean: 0.5 },
        after: { n: 10, mean: 0.625 },
      },
    ],
  };
  expect(renderCorrectionEffect(effect, 2)).toBe(`2 corrections of 1 questions (1 gold, 1 question)
8 questions judged again, 1 sampled again, 1 sampled for the first time
36 answers judged twice by bird-ex: 3 now right, 0 now wrong

questions    before  after
kept              4      5  +1
intractable       6      5  -1
all              10     10

accuracy                 before  after
m#0 single-turn bird-ex   50.00  62.50  +12.50

moved: 3 questions
  spider train 3 (shop; gold): intractable -> kept, right 0/4 -> 3/4
  spider train 3:1 (shop; an earlier turn): kept, right 0/4 -> 3/4
  and 1 more; --json lists all`);
});
