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
      scaffold: { id: "single-turn", version: 0, options: {} },
      tools: [],
      toolNames: [],
      task: "sql",
      linking: null,
      promptFrom: "no_rollout",
      rejected: null,
    });
  });

  const opened = (text: string, calls = "native") => ({
    scaffold: { id: "dualsql-sql", version: 1, options: { calls } },
    messages: [message("user", text), message("assistant", "SELECT 1")],
  });
  const agents = { set: "rl", promptScaffold: "dualsql-sql" } as const;

  it("gives the prompt that all rollouts saw, with the tools that their requests carried", async () => {
    const warnings: string[] = [];
    const seen = {
      ...inputs,
      ordered: [place("a", 0), place("b", 1, { databaseId: "seeds" }), place("c", 2)],
      trajectories: [
        trajectory("a", 0, "SELECT 1", opened("seen a")),
        trajectory("a", 1, "SELECT 1", opened("seen a")),
        trajectory("b", 0, "SELECT 1", opened("seen b")),
        trajectory("b", 1, "SELECT 1", opened("seen b", "text")),
        trajectory("c", 0, "SELECT 1"),
      ],
    };
    const { rows, prompts } = await runStage(assembleRowsStage, seen, agents, {
      plugs: createPlugFinder(),
      warnings,
    });
    expect(rows.map((row) => [row.prompt[0]?.rawText, row.promptFrom, row.task])).toEqual([
      ["seen a", "rollouts", "generator"],
      ["Prompt b", "rollouts_differ", "generator"],
      ["Prompt c", "no_rollout", "generator"],
    ]);
    expect(rows.map((row) => row.tools.map(({ name }) => name))).toEqual([
      ["execute_sql", "full_text_search", "database_profiler"],
      [],
      [],
    ]);
    expect(rows[1]?.toolNames).toEqual(["execute_sql", "full_text_search", "database_profiler"]);
    expect(prompts.map(({ reason }) => reason)).toEqual(["rollouts", "rollouts_differ", "no_rollout"]);
    expect(warnings).toEqual([
      "2 of 3 prompts of RL rows are not what agents saw, but opened as the config's prompt says: " +
        "1 because their rollouts saw different ones, 1 because no rollout is of dualsql-sql",
    ]);
  });

  it("leaves the prompts of a baseline alone, without a word", async () => {
    const warnings: string[] = [];
    const seen = { ...inputs, trajectories: [trajectory("a", 0, "SELECT 1", opened("seen a"))] };
    const options = { ...agents, seenPrompts: false };
    const { rows } = await runStage(assembleRowsStage, seen, options, {
      plugs: createPlugFinder(),
      warnings,
    });
    expect(new Set(rows.map(({ promptFrom }) => promptFrom))).toEqual(new Set(["no_rollout"]));
    expect(warnings).toEqual([]);
  });

  it("gives trajectories the tools of their own scaffold", async () => {
    const chosen = {
      ...inputs,
      trajectories: [
        trajectory("a", 1, "SELECT 1", opened("seen a")),
        ...inputs.trajectories.filter(({ exampleId }) => exampleId !== idOf("a")),
      ],
      selected: [selectedRow("a", 1)],
    };
    const { rows } = await runStage(assembleRowsStage, chosen, { set: "sft" }, { plugs: createPlugFinder() });
    expect(rows[0]).toMatchObject({
      task: "generator",
      scaffold: { id: "dualsql-sql", options: { calls: "native" } },
    });
    expect(rows[0]?.tools.map(({ name }) => name)).toEqual([
      "execute_sql",
      "full_text_search",
      "database_profiler",
    ]);
  });

  it("carries what gold links of a prompt's schema", async () => {
    const linking = { goldLinks: [{ table: "ferry", columns: [] }], full: "a b", oracle: "a" };
    const prompts = inputs.prompts.map((row) => ({ ...row, linking }));
    const { rows } = await runStage(assembleRowsStage, { ...inputs, prompts }, { set: "rl" });
    expect(rows[0]?.linking).toEqual(linking);
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
    const finder = createPlugFinder();
    const toolIds = ["sqlite-query", "sqlite-peek", "bm25-search-sqlite"];
    const tools = await Promise.all(toolIds.map((id) => finder.find("tool", id)));
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
    const { rows } = await runStage(assembleRowsStage, taught, options, {
      plugs: fakePlugs([teacher, ...tools]),
    });
    expect(rows[0]?.prompt).toEqual([message("user", "Prompt a")]);
    expect(rows[0]?.trajectory?.messages.map(({ rawText }) => rawText)).toEqual(["SELECT 1"]);
    const run = runStage(
      assembleRowsStage,
      taught,
      { set: "sft" },
      { plugs: fakePlugs([teacher, ...tools]) },
    );
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
