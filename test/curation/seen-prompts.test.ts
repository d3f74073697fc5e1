import { describe, expect, it } from "vitest";
import { SeenPrompts } from "../../curation/seen-prompts.ts";
import type { Trajectory } from "../../core/trajectory.ts";
import { rowsOf } from "../fakes/run-stage.ts";
import { message, trajectory } from "../interop/fixture-rows.ts";

const rollout = (mark: string, id: string, text: string, changes: Partial<Trajectory> = {}): Trajectory => ({
  ...trajectory(mark, [message("user", text), message("assistant", "a")]),
  id: id.padEnd(32, "0"),
  ...changes,
});
const idOf = (mark: string) => `a${mark}`.padEnd(32, "0");

async function promptOf(rollouts: readonly Trajectory[]) {
  const seen = await SeenPrompts.read(rowsOf(rollouts), "single-turn", new Set([idOf("1")]));
  const index = { get: (id: string) => Promise.resolve(rollouts.find((rollout_) => rollout_.id === id)) };
  const prompt = await seen.promptOf(idOf("1"), index);
  return {
    source: prompt.source,
    texts: prompt.messages?.map(({ rawText }) => rawText) ?? null,
    warning: seen.warning(1),
  };
}

describe("SeenPrompts", () => {
  it("gives what all rollouts of the scaffold saw", async () => {
    expect(await promptOf([rollout("1", "b", "p"), rollout("1", "c", "p"), rollout("2", "d", "q")])).toEqual({
      source: "rollouts",
      texts: ["p"],
      warning: null,
    });
  });

  it("says that they differ in text, or in how tools are called", async () => {
    expect((await promptOf([rollout("1", "b", "p"), rollout("1", "c", "q")])).source).toBe("rollouts_differ");
    const native = { scaffold: { id: "single-turn", version: 1, options: { calls: "native" } } };
    const mixed = await promptOf([rollout("1", "b", "p"), rollout("1", "c", "p", native)]);
    expect(mixed.source).toBe("rollouts_differ");
    expect(mixed.warning).toContain("1 of 1 prompts of RL rows are not what agents saw");
  });

  it("warns of other scaffolds' rollouts, not of imported answers", async () => {
    const other = { scaffold: { id: "sql-trail", version: 1, options: {} } };
    expect((await promptOf([rollout("1", "b", "p", other)])).warning).toContain(
      "no rollout is of single-turn",
    );
    expect(await promptOf([rollout("1", "b", "p", { source: "imported" })])).toEqual({
      source: "no_rollout",
      texts: null,
      warning: null,
    });
  });
});
