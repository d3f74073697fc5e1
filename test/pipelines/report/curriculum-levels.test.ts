import { expect, it } from "vitest";
import { curriculumLevels } from "../../../pipelines/report/curriculum-levels.ts";
import { writtenRun } from "./written-run.ts";

function ordered(rank: number, level: number, more: object = {}) {
  const names = { exampleId: `e${rank}`, sourceId: "0", databaseId: "shop", position: rank };
  return {
    ...names,
    hardness: "easy",
    n: 4,
    c: 2,
    complete: true,
    simulated: false,
    split: "train",
    level,
    rank,
    ...more,
  };
}

it("counts questions, splits, hardness and the mean rate of each level", async () => {
  const examples = [
    ordered(0, 0, { c: 4 }),
    ordered(1, 0, { c: 1, split: "validation", hardness: null }),
    ordered(2, 0, { complete: false, hardness: "hard" }),
    ordered(3, 2, { complete: false }),
  ];
  const order = { ports: { examples }, options: { curriculum: "easy-to-hard" } };
  expect(await curriculumLevels(await writtenRun({ order }))).toEqual({
    id: "easy-to-hard",
    levels: [
      {
        level: 0,
        questions: 3,
        train: 2,
        validation: 1,
        meanRate: 0.625,
        hardness: [
          { hardness: "easy", count: 1 },
          { hardness: "hard", count: 1 },
          { hardness: "unknown", count: 1 },
        ],
      },
      {
        level: 2,
        questions: 1,
        train: 1,
        validation: 0,
        meanRate: null,
        hardness: [{ hardness: "easy", count: 1 }],
      },
    ],
  });
});

it("is null without an order", async () => {
  expect(await curriculumLevels(await writtenRun({}))).toBeNull();
});
