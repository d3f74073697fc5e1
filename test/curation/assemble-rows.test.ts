import { describe, expect, it } from "vitest";
import { assembleRowsStage } from "../../curation/assemble-rows.ts";
import { defineScaffold } from "../../core/scaffold.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";
import { fakePlugs, runStage } from "../fakes/run-stage.ts";
import { database, example, idOf, message, prompt, split, trajectory } from "./sample-rows.ts";

const names = ["a", "b", "c", "d"];
const place = (name: string, rank: number, parts = {}) => ({
  ...split(name, names.indexOf(name), { hardness: "hard", n: 8, c: 3 }),
  level: rank,
  rank,
  ...parts,
});
const selectedRow = (name: string, index: number) => ({
  trajectoryId: idOf(`${name}.${index}.`),
  exampleId: idOf(name),
  split: "train" as const,
  reason: "short",
});
const inputs = {
  examples: names.map((name) => example(name, { databaseId: name === "b" ? "seeds" : "ferries" })),
  databases: [database("ferries"), database("seeds")],
  prompts: names.map((name) => prompt(name)),
  ordered: [
    place("c", 0),
    place("a", 1, { simulated: true }),
    place("b", 0, { split: "validation", databaseId: "seeds" }),
  ],
  selected: [selectedRow("a", 1), selectedRow("a", 0), selectedRow("b", 0)],
  trajectories: [
    trajectory("a", 0, "SELECT 1"),
    trajectory("a", 1, "SELECT 2"),
    trajectory("b", 0, "SELECT 3", { source: "simulated" }),
    trajectory("d", 0, "SELECT 4"),
  ],
};

describe("assembleRowsStage", () => {
  it("gives practice rows in curriculum order, numbered from 0 in each split", async () => {
    const { rows } = await runStage(assembleRowsStage, inputs, { set: "rl" });
    expect(rows.map((row) => [row.split, row.index, row.example.sourceId, row.databaseDigest])).toEqual([
      ["train", 0, "c", "digest of ferries"],
      ["train", 1, "a", "digest of ferries"],
      ["validation", 0, "b", "digest of seeds"],
    ]);
    expect(rows[1]).toEqual({
      index: 1,
      split: "train",
      example: inputs.examples[0],
      databaseDigest: "digest of ferries",
      prompt: [message("user", "Prompt a")],
      trajectory: null,
      level: 1,
      hardness: "hard",
      n: 8,
      c: 3,
      simulated: true,
    });
  });

  it("gives imitation rows by the curriculum of their examples, then as selected", async () => {
    const { rows } = await runStage(assembleRowsStage, inputs, { set: "sft" });
    expect(rows.map((row) => [row.split, row.index, row.trajectory?.finalSql, row.simulated])).toEqual([
      ["train", 0, "SELECT 2", true],
      ["train", 1, "SELECT 1", true],
      ["validation", 0, "SELECT 3", true],
    ]);
    expect(rows[0]?.trajectory).toEqual(inputs.trajectories[1]);
  });

  it("puts a privileged teacher's replies behind the prompt of its student", async () => {
    const teacher = defineScaffold({
      ...(await createPlugFinder().find("scaffold", "retool-sql-teacher")),
      id: "teacher",
      readsGold: true,
      student: "pupil",
    });
    const taught = {
      ...inputs,
      ordered: [place("a", 0)],
      selected: [selectedRow("a", 0)],
      trajectories: [
        trajectory("a", 0, "SELECT 1", {
          scaffold: { id: "teacher", version: 1, options: {} },
          messages: [
            { ...message("user", "Prompt a, whose answer is SELECT 1"), origin: "given" },
            { ...message("assistant", "SELECT 1"), origin: "sampled" },
          ],
        }),
      ],
    };
    const options = { set: "sft", promptScaffold: "pupil" } as const;
    const { rows } = await runStage(assembleRowsStage, taught, options, { plugs: fakePlugs([teacher]) });
    expect(rows[0]?.prompt).toEqual([message("user", "Prompt a")]);
    expect(rows[0]?.trajectory?.messages.map(({ rawText }) => rawText)).toEqual(["SELECT 1"]);
    const run = runStage(assembleRowsStage, taught, { set: "sft" }, { plugs: fakePlugs([teacher]) });
    await expect(run).rejects.toMatchObject({ code: "ASSEMBLE_PROMPT_MISMATCH", site: { plug: "teacher" } });
  });

  it("is simulated only where the example or the trajectory is", async () => {
    const plain = {
      ...inputs,
      ordered: [place("a", 0)],
      selected: [selectedRow("a", 0)],
    };
    expect((await runStage(assembleRowsStage, plain, { set: "sft" })).rows[0]?.simulated).toBe(false);
  });

  it("does not need trajectories for practice rows", async () => {
    const bare = { ...inputs, selected: [], trajectories: [] };
    expect((await runStage(assembleRowsStage, bare, { set: "rl" })).rows).toHaveLength(3);
    expect((await runStage(assembleRowsStage, bare, { set: "sft" })).rows).toEqual([]);
  });

  it.each([
    ["examples", { examples: inputs.examples.slice(1) }],
    ["prompts", { prompts: inputs.prompts.slice(1) }],
    ["databases", { databases: inputs.databases.slice(1) }],
    ["trajectories", { trajectories: inputs.trajectories.slice(1) }],
    ["ordered", { ordered: inputs.ordered.slice(0, 2) }],
  ])("names what is missing among %s", async (port, parts) => {
    await expect(runStage(assembleRowsStage, { ...inputs, ...parts }, { set: "sft" })).rejects.toMatchObject({
      code: "ASSEMBLE_ROW_MISSING",
      message: expect.stringContaining(`${port} has no row`) as string,
    });
  });

  it("refuses train rows after validation rows", async () => {
    const ordered = inputs.ordered.toReversed();
    await expect(runStage(assembleRowsStage, { ...inputs, ordered }, { set: "rl" })).rejects.toMatchObject({
      code: "STAGE_ORDER_BROKEN",
    });
  });
});
