import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import type { ExportRow } from "../../../core/shard.ts";
import verlRl from "../../../curation/exporters/verl-rl.ts";
import { exportRow, message, NO_FACTS, openForm, SQL_TOOL, sqlCall } from "../../interop/fixture-rows.ts";

const EXAMPLE_ID = "a1000000000000000000000000000000";
const DIGEST = "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd";

const TOOLS = { ...NO_FACTS, toolNames: ["execute_sql"], tools: [SQL_TOOL] };
const form = await openForm(verlRl, {}, { ...TOOLS, tools: [] });
const verl = { columns: form.columns, row: (row: ExportRow) => form.rows(row)[0] ?? {} };

describe("verl-rl", () => {
  it("writes a row with nothing optional", () => {
    expect(verl.row(exportRow("1"))).toStrictEqual({
      data_source: "gradus/spider",
      prompt: [
        { role: "system", content: "Answer with SQL." },
        { role: "user", content: "How many ferries are there?" },
      ],
      ability: "text-to-sql",
      reward_model: {
        style: "rule",
        ground_truth: '{"db_id":"island_ferries","gold":["SELECT count(*) FROM ferry"]}',
      },
      extra_info: {
        index: 0,
        split: "train",
        example_id: EXAMPLE_ID,
        dataset: "spider",
        release: "1.0",
        source_id: "7",
        db_id: "island_ferries",
        database_sha256: DIGEST,
        question: "How many ferries are there?",
        evidence: "",
        hardness: "",
        difficulty: "",
        level: -1,
        pass_n: 8,
        pass_c: 3,
        simulated: false,
        dialogue_id: "",
        turn: -1,
        scaffold: "",
        task: "sql",
        group_id: `${EXAMPLE_ID}:sql`,
        gold_links: "",
        full_schema: "",
        oracle_schema: "",
        need_tools_kwargs: true,
        tools_kwargs: {
          execute_sql: {
            create_kwargs: { db_id: "island_ferries", database_sha256: DIGEST, example_id: EXAMPLE_ID },
          },
        },
        tool_selection: [],
      },
    });
  });

  it("names the tools that agents have, and shows the schemas of those beside the messages", async () => {
    const both = await openForm(
      verlRl,
      { agentName: "gradus" },
      { ...TOOLS, toolNames: ["execute_sql", "peek"] },
    );
    const [row] = both.rows(exportRow("1", { toolNames: ["peek"], tools: [SQL_TOOL] }));
    const kwargs = { db_id: "island_ferries", database_sha256: DIGEST, example_id: EXAMPLE_ID };
    expect(row?.["extra_info"]).toMatchObject({
      tool_selection: ["peek"],
      tools_kwargs: { execute_sql: { create_kwargs: kwargs }, peek: { create_kwargs: kwargs } },
    });
    expect(row?.["agent_name"]).toBe("gradus");
    const content = {
      datasetName: "d",
      files: [{ split: "train" as const, path: "train-00000-of-00001.parquet" }],
      rows: { train: 3, validation: 0 },
      longest: { promptBytes: 10_000, rowBytes: 10_000, turns: 0 },
      scaffolds: ["mtsql-r1"],
    };
    const files = both.sideFiles?.(content) ?? [];
    expect(files.map((file) => file.path)).toEqual(["verl-tools.yaml", "launch/verl-grpo-mtsql-r1.sh"]);
    expect(parse(files[0]?.text ?? "")).toEqual({
      tools: [
        {
          class_name: "verl_tool.GradusTool",
          config: { type: "native" },
          tool_schema: { type: "function", function: SQL_TOOL },
        },
      ],
    });
    expect(files[1]?.text).toContain("  data.max_prompt_length=5120 \\\n");
    expect(files[1]?.text).toContain("  actor_rollout_ref.rollout.n=5 \\\n");
    expect(files[1]?.text).toContain("fewer than one batch");
  });

  it("has no field of tools where no agent has any", async () => {
    const single = await openForm(verlRl);
    const [row] = single.rows(exportRow("1"));
    expect(row?.["extra_info"]).not.toHaveProperty("tools_kwargs");
    expect(row?.["extra_info"]).toMatchObject({ need_tools_kwargs: false });
  });

  it("carries what gold links, both schemas, the task and the group", () => {
    const linking = { goldLinks: [{ table: "ferry", columns: ["id"] }], full: "a b", oracle: "a" };
    expect(verl.row(exportRow("1", { linking, task: "generator" }))["extra_info"]).toMatchObject({
      task: "generator",
      group_id: `${EXAMPLE_ID}:generator`,
      gold_links: '[{"table":"ferry","columns":["id"]}]',
      full_schema: "a b",
      oracle_schema: "a",
    });
  });

  it("writes what a row can have besides", () => {
    const { example } = exportRow("1");
    const row = verl.row(
      exportRow("1", {
        index: 4,
        split: "validation",
        level: 0,
        hardness: "extra",
        simulated: true,
        example: {
          ...example,
          evidence: "a ferry sails",
          difficulty: "moderate",
          dialogue: { id: "12", turn: 0, turns: 3 },
          gold: ['SELECT "a"', "SELECT 'é'"],
        },
      }),
    );
    expect(row["reward_model"]).toStrictEqual({
      style: "rule",
      ground_truth: '{"db_id":"island_ferries","gold":["SELECT \\"a\\"","SELECT \'é\'"]}',
    });
    expect(row["extra_info"]).toMatchObject({
      index: 4,
      split: "validation",
      evidence: "a ferry sails",
      hardness: "extra",
      difficulty: "moderate",
      level: 0,
      simulated: true,
      dialogue_id: "12",
      turn: 0,
    });
  });

  it("writes fields in the order of its columns", () => {
    const row = verl.row(exportRow("1"));
    expect(Object.keys(row)).toEqual(verl.columns.map((column) => column.name));
  });

  it("refuses an example without gold", () => {
    const { example } = exportRow("1");
    expect(() => verl.row(exportRow("1", { example: { ...example, gold: [] } }))).toThrow(
      expect.objectContaining({
        code: "EXPORT_ROW_UNSUPPORTED",
        message: `cannot write ${EXAMPLE_ID} for verl-rl: it has no gold, expected at least one`,
      }) as Error,
    );
  });

  it("refuses a prompt that holds tool calls", () => {
    const prompt = [
      message("user", "q"),
      message("assistant", "", { toolCalls: [sqlCall("c", "SELECT 1")] }),
    ];
    expect(() => verl.row(exportRow("1", { prompt }))).toThrow(/its prompt holds tool calls/);
  });
});
