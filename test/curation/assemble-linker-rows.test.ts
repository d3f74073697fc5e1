import { describe, expect, it } from "vitest";
import { assembleLinkerRowsStage } from "../../curation/assemble-linker-rows.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";
import { runStage } from "../fakes/run-stage.ts";
import { exportRow, message, trajectory } from "../interop/fixture-rows.ts";

const linker = { id: "dualsql-linker", version: 1, options: { calls: "native" } };
const linking = (mark: string, sampleIndex: number, text: string) => ({
  ...trajectory(mark, [message("user", `link ${mark}`), message("assistant", text)]),
  id: `b${mark}${sampleIndex}`.padEnd(32, "0"),
  sampleIndex,
  scaffold: linker,
});
const linkings = [
  linking("1", 0, "first"),
  linking("1", 2, "third"),
  linking("2", 0, "other"),
  linking("1", 0, "again"),
];
const surroundings = { plugs: createPlugFinder() };

describe("assembleLinkerRowsStage", () => {
  it("gives the linker's trajectory behind each chosen answer", async () => {
    const chosen = { ...trajectory("1", [message("assistant", "SELECT 1")]), sampleIndex: 2 };
    const rows = [exportRow("3"), exportRow("1", { trajectory: chosen, index: 1 })];
    const made = await runStage(assembleLinkerRowsStage, { rows, linkings }, { set: "sft" }, surroundings);
    expect(made.rows).toHaveLength(1);
    expect(made.rows[0]).toMatchObject({
      index: 0,
      task: "linker",
      promptFrom: "rollouts",
      scaffold: linker,
    });
    expect(made.rows[0]?.trajectory?.messages.map(({ rawText }) => rawText)).toEqual(["link 1", "third"]);
    expect(made.rows[0]?.tools.map(({ name }) => name)).toEqual([
      "execute_sql",
      "full_text_search",
      "database_profiler",
    ]);
  });

  it("gives one prompt for each question that a linker saw", async () => {
    const rows = [exportRow("1"), exportRow("2", { index: 1 }), exportRow("3", { index: 2 })];
    const made = await runStage(assembleLinkerRowsStage, { rows, linkings }, { set: "rl" }, surroundings);
    expect(
      made.rows.map((row) => [row.index, row.prompt.map(({ rawText }) => rawText), row.trajectory]),
    ).toEqual([
      [0, ["link 1"], null],
      [1, ["link 2"], null],
    ]);
  });
});
