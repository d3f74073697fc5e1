import { expect, it } from "vitest";
import { renderRounds, roundFolder, roundTable } from "../../pipelines/rounds-table.ts";
import { temporaryFolder } from "../temporary-folder.ts";

it("a run without finished rounds has an empty table", async () => {
  expect(await roundTable(await temporaryFolder())).toEqual([]);
});

it("rounds lie in the run's folder and below rounds/, and are shown in columns", () => {
  expect([roundFolder("runs/a", 1), roundFolder("runs/a", 3)]).toEqual(["runs/a", "runs/a/rounds/3"]);
  const first = {
    round: 1,
    examples: 10,
    asked: 10,
    covered: 7,
    trajectories: 15,
    fallbacks: 1,
    revision: null,
  };
  expect(renderRounds([first, { ...first, round: 2, asked: 3, covered: 9, revision: "r2" }])).toBe(
    [
      "round  asked  covered  of  share  trajectories  fallbacks       revision",
      "    1     10        7  10  70.0%            15          1  as configured",
      "    2      3        9  10  90.0%            15          1             r2",
    ].join("\n"),
  );
});
