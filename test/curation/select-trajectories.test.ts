import { describe, expect, it } from "vitest";
import { unscored, type Verdict } from "../../core/verdict.ts";
import { selectTrajectoriesStage } from "../../curation/select-trajectories.ts";
import { runStage } from "../fakes/run-stage.ts";
import { idOf, sample, split, trajectory } from "./sample-rows.ts";

/** Trajectories with their samples, from an example's name, its SQL and its verdict. */
function rowsFrom(answers: readonly (readonly [string, string | null, Verdict | number])[]) {
  const next = new Map<string, number>();
  const trajectories = [];
  const samples = [];
  for (const [name, sql, verdict] of answers) {
    const index = next.get(name) ?? 0;
    next.set(name, index + 1);
    trajectories.push(trajectory(name, index, sql));
    samples.push(sample(name, index, verdict));
  }
  return { trajectories, samples };
}

const t = (name: string, index: number): string => idOf(`${name}.${index}.`);

describe("selectTrajectoriesStage", () => {
  it("takes the shortest right SQL of each example and says why the rest stays", async () => {
    const inputs = {
      examples: [split("a", 0), split("c", 2, { split: "validation" })],
      ...rowsFrom([
        ["a", "SELECT longest", 1],
        ["a", "SELECT 1", 1],
        ["a", "SELECT 1", 1],
        ["a", "S", 0],
        ["a", "T", unscored("crashed", "")],
        ["a", null, 1],
        ["b", "SELECT 1", 1],
        ["c", "SELECT 2", 1],
      ]),
    };
    const { selected, passedOver } = await runStage(selectTrajectoriesStage, inputs, {});
    expect(selected).toEqual([
      { trajectoryId: t("a", 1), exampleId: idOf("a"), split: "train", reason: "short" },
      { trajectoryId: t("c", 0), exampleId: idOf("c"), split: "validation", reason: "short" },
    ]);
    expect(passedOver.map(({ trajectoryId, reason }) => [trajectoryId, reason])).toEqual([
      [t("a", 0), "over_limit"],
      [t("a", 2), "duplicate_sql"],
      [t("a", 3), "wrong"],
      [t("a", 4), "unscored"],
      [t("a", 5), "no_answer"],
      [t("b", 0), "example_dropped"],
    ]);
  });

  it("takes nothing that is only partly right", async () => {
    const inputs = { examples: [split("a", 0)], ...rowsFrom([["a", "SELECT 1", 0.99]]) };
    const { selected, passedOver } = await runStage(selectTrajectoriesStage, inputs, {});
    expect(selected).toEqual([]);
    expect(passedOver[0]?.reason).toBe("wrong");
  });

  it("takes up to the limit, distinct SQL only", async () => {
    const inputs = {
      examples: [split("a", 0)],
      ...rowsFrom([
        ["a", "SELECT 333", 1],
        ["a", "SELECT 1", 1],
        ["a", "SELECT 22", 1],
        ["a", "SELECT 1", 1],
      ]),
    };
    const idsFor = async (perExample: number) => {
      const { selected, passedOver } = await runStage(selectTrajectoriesStage, inputs, { perExample });
      expect(selected.length + passedOver.length).toBe(4);
      return selected.map(({ trajectoryId }) => trajectoryId);
    };
    expect(await idsFor(2)).toEqual([t("a", 1), t("a", 2)]);
    expect(await idsFor(9)).toEqual([t("a", 1), t("a", 2), t("a", 0)]);
  });

  it("draws between equals by the seed and the example", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `e${String(index).padStart(2, "0")}`);
    const inputs = {
      examples: names.map((name, position) => split(name, position)),
      ...rowsFrom(names.flatMap((name) => [[name, "SELECT 1", 1] as const, [name, "SELECT 2", 1] as const])),
    };
    const drawn = async (seed: number, prefer: "short" | "any") => {
      const { selected } = await runStage(selectTrajectoriesStage, inputs, { prefer }, { seed });
      return selected.map(({ trajectoryId }) => trajectoryId).join();
    };
    expect(await drawn(1, "short")).toBe(await drawn(1, "short"));
    expect(await drawn(1, "short")).not.toBe(await drawn(2, "short"));
    const firsts = names.map((name) => t(name, 0)).join();
    expect(await drawn(1, "short")).not.toBe(firsts);
  });

  it("does not look at length when any will do", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `e${String(index).padStart(2, "0")}`);
    const inputs = {
      examples: names.map((name, position) => split(name, position)),
      ...rowsFrom(
        names.flatMap((name) => [[name, "SELECT 1", 1] as const, [name, "SELECT 22222", 1] as const]),
      ),
    };
    const { selected } = await runStage(selectTrajectoriesStage, inputs, { prefer: "any" });
    const long = names.map((name) => t(name, 1));
    expect(selected.some(({ trajectoryId }) => long.includes(trajectoryId))).toBe(true);
    expect(selected.some(({ trajectoryId }) => !long.includes(trajectoryId))).toBe(true);
  });

  it("refuses samples that are not in step and examples out of order", async () => {
    const examples = [split("a", 0), split("b", 1)];
    const { trajectories, samples } = rowsFrom([
      ["a", "SELECT 1", 1],
      ["b", "SELECT 1", 1],
    ]);
    const broken = [
      { examples, trajectories, samples: samples.toReversed() },
      { examples, trajectories, samples: samples.slice(1) },
      { examples, trajectories: trajectories.slice(0, 1), samples },
      { examples, trajectories: trajectories.toReversed(), samples: samples.toReversed() },
    ];
    for (const inputs of broken) {
      await expect(runStage(selectTrajectoriesStage, inputs, {})).rejects.toMatchObject({
        code: "STAGE_ORDER_BROKEN",
      });
    }
  });
});
