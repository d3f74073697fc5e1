import { describe, expect, it } from "vitest";
import { assemblePairsStage } from "../../curation/assemble-pairs.ts";
import { runStage } from "../fakes/run-stage.ts";
import { exportRow, message, trajectory } from "../interop/fixture-rows.ts";

const rollout = (mark: string, name: string, prompt: string) => ({
  ...trajectory(mark, [message("user", prompt), message("assistant", name)]),
  id: name.padEnd(32, "0"),
});
const passed = (mark: string, name: string, reason: string) => ({
  trajectoryId: name.padEnd(32, "0"),
  exampleId: `a${mark}`.padEnd(32, "0"),
  reason,
});

describe("assemblePairsStage", () => {
  it("puts the first wrong trajectory behind the same prompt beside a right one", async () => {
    const inputs = {
      rows: [
        exportRow("1", { trajectory: rollout("1", "right", "p") }),
        exportRow("2", { trajectory: rollout("2", "lonely", "p") }),
      ],
      passedOver: [
        passed("1", "elsewhere", "wrong"),
        passed("1", "duplicate", "duplicate_sql"),
        passed("1", "wrong", "wrong"),
        passed("1", "silent", "no_answer"),
      ],
      trajectories: [
        rollout("1", "elsewhere", "another prompt"),
        rollout("1", "duplicate", "p"),
        rollout("1", "wrong", "p"),
        rollout("1", "silent", "p"),
      ],
    };
    const { rows, unpaired } = await runStage(assemblePairsStage, inputs, {});
    expect(rows.map((row) => row.rejected?.id)).toEqual(["wrong".padEnd(32, "0")]);
    expect(unpaired).toEqual([
      { trajectoryId: "lonely".padEnd(32, "0"), exampleId: "a2".padEnd(32, "0"), reason: "no_wrong_sample" },
    ]);
  });
});
