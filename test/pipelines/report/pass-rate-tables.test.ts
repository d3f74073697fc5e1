import { expect, it } from "vitest";
import type { PassRate } from "../../../core/rows.ts";
import { passRateTables, RateTables } from "../../../pipelines/report/pass-rate-tables.ts";
import { writtenRun } from "./written-run.ts";

function rate(n: number, c: number, more: Partial<PassRate> = {}): PassRate {
  const model = { name: "m", revision: "1" };
  return {
    exampleId: "e",
    model,
    setting: "s",
    metric: "bird-ex",
    n,
    c,
    unscored: {},
    stopRule: "complete",
    simulated: false,
    ...more,
  };
}

it("has a bin for each number of right answers where all questions have the same few", () => {
  const tables = new RateTables();
  tables.add("easy", [rate(4, 0)]);
  tables.add("hard", [rate(4, 4)]);
  tables.add("hard", [rate(4, 1)]);
  tables.add("hard", [rate(0, 0)]);
  tables.add("hard", [rate(2, 1, { stopRule: "mixed" })]);
  const report = tables.report();
  expect(report?.systems).toEqual([
    {
      system: "m",
      bins: [
        { label: "0/4", count: 1 },
        { label: "1/4", count: 1 },
        { label: "2/4", count: 0 },
        { label: "3/4", count: 0 },
        { label: "4/4", count: 1 },
      ],
      stopped: 1,
      unrated: 1,
    },
  ]);
  expect(report?.byHardness).toEqual([
    { hardness: "easy", total: 1, counts: [1, 0, 0, 0, 0, 0] },
    { hardness: "hard", total: 2, counts: [0, 1, 0, 0, 0, 1] },
  ]);
});

it("bins by tenths elsewhere, never and always apart", () => {
  const tables = new RateTables();
  for (const [n, c] of [
    [3, 0],
    [3, 3],
    [100, 1],
    [100, 10],
    [100, 99],
    [7, 7],
  ] as const)
    tables.add("x", [rate(n, c)]);
  const bins = tables.report()?.systems[0]?.bins ?? [];
  expect(bins.map(({ count }) => count)).toEqual([1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
});

it("pools systems for hardness", () => {
  const tables = new RateTables();
  tables.add("easy", [rate(2, 2), rate(2, 0, { setting: "t" })]);
  const report = tables.report();
  expect(report?.systems.map(({ system }) => system)).toEqual(["s", "t"]);
  expect(report?.byHardness).toEqual([{ hardness: "easy", total: 1, counts: [0, 0, 1, 0, 0, 0] }]);
});

it("is null without rates", async () => {
  expect(new RateTables().report()).toBeNull();
  expect(await passRateTables(await writtenRun({}))).toBeNull();
});
