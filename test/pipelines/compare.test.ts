import { describe, expect, it } from "vitest";
import { type ComparedSide, compareSides, sideOfRun } from "../../pipelines/compare.ts";
import { scored } from "../../core/verdict.ts";
import { example, sample } from "../curation/sample-rows.ts";
import { rowsOf } from "../fakes/run-stage.ts";
import { temporaryFolder } from "../temporary-folder.ts";

function side(name: string, scores: Readonly<Record<string, readonly number[]>>): ComparedSide {
  const entries = Object.entries(scores);
  return {
    name,
    examples: rowsOf(entries.map(([id]) => example(id))),
    samples: rowsOf(entries.flatMap(([id, given]) => given.map((score, index) => sample(id, index, score)))),
    isOf: () => true,
  };
}

describe("compareSides", () => {
  it("pairs questions by id and takes the mean of several samples", async () => {
    const before = side("one", { a: [0, 1], b: [1], c: [0], only: [1] });
    const after = side("two", { c: [1], a: [1, 1], b: [], new: [1] });
    const report = await compareSides(before, after, { metrics: null, seed: 1 });
    expect(report).toMatchObject({
      before: "one",
      after: "two",
      questions: { both: 3, onlyBefore: 1, onlyAfter: 1 },
      comparisons: [{ metric: "bird-ex", pairs: 2, onlyBefore: 1, before: 0.25, after: 1 }],
    });
    expect(report.comparisons[0]?.gained.map(({ sourceId }) => sourceId)).toEqual(["c", "a"]);
  });

  it("refuses what cannot be compared", async () => {
    const one = side("one", { a: [1] });
    const asked = (metrics: readonly string[] | null) => ({ metrics, seed: 1 });
    await expect(compareSides(one, side("two", { b: [1] }), asked(null))).rejects.toMatchObject({
      code: "COMPARE_NOTHING",
    });
    await expect(compareSides(one, side("two", { a: [1] }), asked(["rex"]))).rejects.toMatchObject({
      code: "COMPARE_METRIC_MISSING",
      message: "cannot compare by rex: one has bird-ex, two has bird-ex",
    });
    const other = { ...one, samples: rowsOf([sample("a", 0, 1, { verdicts: { rex: scored(1) } })]) };
    await expect(compareSides(one, other, asked(null))).rejects.toMatchObject({
      code: "COMPARE_METRIC_MISSING",
    });
  });
});

it("knows no side of a run that is not there", async () => {
  await expect(sideOfRun(await temporaryFolder(), "absent")).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
});
