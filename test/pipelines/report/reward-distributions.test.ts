import { expect, it } from "vitest";
import { rewardDistributions } from "../../../pipelines/report/reward-distributions.ts";
import { writtenRun } from "./written-run.ts";

it("spreads totals over twenty bins, and means their terms", async () => {
  const rewards = [
    { total: 0, terms: { ex: 0, length: { value: -0.5 } } },
    {
      total: 1,
      terms: [
        { name: "ex", value: 1 },
        { id: "length", score: 0 },
      ],
    },
    { total: 0.05, terms: null },
    { total: "none" },
    { other: 1 },
  ];
  const source = await writtenRun({
    rewards: { ports: { rewards, rejects: [] } },
    score: { ports: { rewards } },
  });
  const [report, ...others] = await rewardDistributions(source);
  expect(others).toEqual([]);
  expect(report).toMatchObject({ step: "rewards", port: "rewards", count: 3, min: 0, max: 1 });
  expect(report?.mean).toBeCloseTo(0.35, 12);
  expect(report?.terms).toEqual([
    { name: "ex", count: 2, mean: 0.5, min: 0, max: 1 },
    { name: "length", count: 2, mean: -0.25, min: -0.5, max: 0 },
  ]);
  expect(report?.bins.map(({ count }) => count)).toEqual([1, 1, ...Array<number>(17).fill(0), 1]);
});

it("has one bin for rewards that are all the same", async () => {
  const source = await writtenRun({ "rewards-rl": { ports: { rows: [{ total: 2 }, { total: 2 }] } } });
  expect((await rewardDistributions(source))[0]?.bins).toEqual([{ from: 2, to: 2, count: 2 }]);
});
