import { describe, expect, it } from "vitest";
import verlRl from "../../../curation/exporters/verl-rl.ts";
import { exportRow, message, sqlCall } from "../../interop/fixture-rows.ts";

const EXAMPLE_ID = "a1000000000000000000000000000000";
const DIGEST = "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd";

describe("verl-rl", () => {
  it("writes a row with nothing optional", () => {
    expect(verlRl.row(exportRow("1"))).toStrictEqual({
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
        need_tools_kwargs: true,
        tools_kwargs: {
          execute_sql: {
            create_kwargs: { db_id: "island_ferries", database_sha256: DIGEST, example_id: EXAMPLE_ID },
          },
        },
      },
    });
  });

  it("writes what a row can have besides", () => {
    const { example } = exportRow("1");
    const row = verlRl.row(
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
    const row = verlRl.row(exportRow("1"));
    expect(Object.keys(row)).toEqual(verlRl.columns.map((column) => column.name));
  });

  it("refuses an example without gold", () => {
    const { example } = exportRow("1");
    expect(() => verlRl.row(exportRow("1", { example: { ...example, gold: [] } }))).toThrow(
      expect.objectContaining({
        code: "EXPORT_ROW_UNSUPPORTED",
        message: `cannot write example ${EXAMPLE_ID}: it has no gold, expected at least one`,
      }) as Error,
    );
  });

  it("refuses a prompt that holds tool calls", () => {
    const prompt = [
      message("user", "q"),
      message("assistant", "", { toolCalls: [sqlCall("c", "SELECT 1")] }),
    ];
    expect(() => verlRl.row(exportRow("1", { prompt }))).toThrow(/its prompt holds tool calls/);
  });
});
