import { expect, it } from "vitest";
import type { ScoredSample } from "../../../core/rows.ts";
import { openReportSource } from "../../../pipelines/report/report-source.ts";
import { roundCoverage, RoundMovement } from "../../../pipelines/report/round-movement.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

function sample(round: number, score: number): ScoredSample {
  return {
    trajectoryId: "t",
    exampleId: "e",
    sampleIndex: 0,
    round,
    model: { name: "m", revision: "1" },
    setting: "s",
    simulated: false,
    execution: null,
    verdicts: { ex: { status: "scored", score } },
  };
}

it("counts how questions moved from a round to the next that answered them", () => {
  const movement = new RoundMovement();
  movement.add([sample(0, 0), sample(0, 0), sample(1, 1), sample(1, 0), sample(2, 1)], "ex");
  movement.add([sample(0, 1), sample(2, 1)], "ex");
  movement.add([sample(1, 1)], "ex");
  expect(movement.tables().map(({ from, to, counts }) => [from, to, counts])).toEqual([
    [
      0,
      1,
      [
        [0, 1, 0],
        [0, 0, 0],
        [0, 0, 0],
      ],
    ],
    [
      0,
      2,
      [
        [0, 0, 0],
        [0, 0, 0],
        [0, 0, 1],
      ],
    ],
    [
      1,
      2,
      [
        [0, 0, 0],
        [0, 0, 1],
        [0, 0, 0],
      ],
    ],
  ]);
});

it("reads coverage leniently", async () => {
  const rounds = [{ round: 1, examples: 9, covered: 4, trajectories: 7, more: true }, { round: "two" }, 3];
  const files = { "r/recipe.lock.json": '{"command":"x"}', "r/rounds.json": JSON.stringify({ rounds }) };
  const source = await openReportSource(await temporaryFolder(files), "r");
  expect(await roundCoverage(source)).toEqual([{ round: 1, examples: 9, covered: 4, trajectories: 7 }]);
});

it.each(["{", "[]", '{"rounds":[]}'])("has no coverage in %s", async (text) => {
  const files = { "r/recipe.lock.json": '{"command":"x"}', "r/rounds.json": text };
  const source = await openReportSource(await temporaryFolder(files), "r");
  expect(await roundCoverage(source)).toBeNull();
});
