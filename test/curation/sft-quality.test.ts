import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { sftQualityStage } from "../../curation/sft-quality.ts";
import { runStage } from "../fakes/run-stage.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { idOf, split, trajectory } from "./sample-rows.ts";
import { taughtRow } from "./taught-rows.ts";

it("holds the set against the right rollouts that it was chosen from", async () => {
  const folder = await temporaryFolder();
  const trajectories = [0, 1, 2].map((index) => trajectory("a", index, `SELECT ${index}`));
  const passedOver = [
    { trajectoryId: trajectories[1]?.id ?? "", exampleId: idOf("a"), reason: "wrong" },
    { trajectoryId: trajectories[2]?.id ?? "", exampleId: idOf("a"), reason: "over_limit" },
  ];
  const inputs = { rows: [taughtRow("a", 0)], kept: [split("a", 0)], passedOver, trajectories };
  const { summary } = await runStage(sftQualityStage, inputs, {}, { folder });
  expect(
    summary.map(({ set, figures }) => [set, (figures as { trajectories: number }).trajectories]),
  ).toEqual([
    ["before", 2],
    ["after", 1],
  ]);
  expect(readFileSync(path.join(folder, "quality.md"), "utf8")).toContain("| trajectories | 2 | 1 |");
  expect(JSON.parse(readFileSync(path.join(folder, "quality.json"), "utf8"))).toHaveProperty(
    "after.questions",
    1,
  );
});
