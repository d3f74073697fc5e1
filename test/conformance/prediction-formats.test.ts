import path from "node:path";
import { describe, expect, it } from "vitest";
import { writeFolder } from "../datasets/dataset-fixtures.ts";
import { describeWithShared } from "../shared-folder.ts";
import { plugs, readAll } from "../synth/synth-rows.ts";

const ids = await plugs.list("prediction-format");

/** By format: a file with three answers, and one that cannot be read, with the line at fault. */
const FIXTURES: Readonly<
  Record<string, { name: string; text: string; broken: [text: string, line: number] | null }>
> = {
  "bird-json": {
    name: "pred.json",
    text: '{"0": "SELECT 1", "1": "SELECT 2\\t----- bird -----\\tferries", "2": "SELECT 3"}',
    broken: ['{"0": "SELECT 1",\n"1": }', 2],
  },
  csv: {
    name: "pred.csv",
    text: "question,pred\na,SELECT 1\nb,SELECT 2\nc,SELECT 3\n",
    broken: ["question,pred\na,b\nc\n", 3],
  },
  jsonl: {
    name: "pred.jsonl",
    text: '{"id":0,"sql":"SELECT 1"}\n{"id":1,"sql":"SELECT 2","completion":"\\"messages\\": ["}\n{"id":2,"sql":"SELECT 3"}\n',
    broken: ['{"id":0,"sql":"SELECT 1"}\n{"id":1', 2],
  },
  lines: { name: "pred.sql", text: "SELECT 1\nSELECT 2\nSELECT 3", broken: null },
  trajectories: {
    name: "pred.jsonl",
    text: ["SELECT 1", "SELECT 2", "SELECT 3"]
      .map((sql, id) =>
        JSON.stringify({ id, final_sql: sql, messages: [{ role: "assistant", content: sql }] }),
      )
      .join("\n"),
    broken: ['\n{"id":0,"messages":[]}', 2],
  },
};

it("have a fixture each", () => {
  expect(Object.keys(FIXTURES).sort()).toEqual([...ids].sort());
});

describe.each(ids)("prediction format %s", (id) => {
  const fixture = FIXTURES[id] ?? { name: "", text: "", broken: null };

  async function fileWith(text: string): Promise<string> {
    return path.join(await writeFolder({ [fixture.name]: text }), fixture.name);
  }

  it("reads the answers in order, twice the same", async () => {
    const format = await plugs.find("prediction-format", id);
    const file = await fileWith(fixture.text);
    const rows = await readAll(format, file);
    expect(rows.map((row) => row.sql)).toEqual(["SELECT 1", "SELECT 2", "SELECT 3"]);
    expect(rows.map((row) => row.position)).toEqual([0, 1, 2]);
    expect(await readAll(format, file)).toEqual(rows);
  });

  it("is the only one to recognise its file", async () => {
    const found: string[] = [];
    for (const other of ids) {
      const format = await plugs.find("prediction-format", other);
      if (format.recognises(fixture.name, fixture.text)) found.push(other);
    }
    expect(found).toEqual([id]);
  });

  it.skipIf(fixture.broken === null)("names file and line of what it cannot read", async () => {
    const format = await plugs.find("prediction-format", id);
    const [text, line] = fixture.broken ?? ["", 0];
    await expect(readAll(format, await fileWith(text))).rejects.toMatchObject({
      code: "IMPORT_FILE_MALFORMED",
      site: { file: fixture.name, line },
    });
  });

  it("says that a file is missing", async () => {
    const format = await plugs.find("prediction-format", id);
    await expect(readAll(format, "/nowhere/pred")).rejects.toMatchObject({ code: "FILE_MISSING" });
  });
});

describeWithShared("published prediction files", (folder) => {
  it.each([
    ["spider_dev/CodeX__DIN-SQL.csv", "csv", 1034],
    ["spider_dev/GPT4_results__DIN-SQL.csv", "csv", 1034],
    ["spider_dev/GPT4_results__GPT4_zero_shot.csv", "csv", 1034],
    ["spider_dev/codes-1b.txt", "lines", 1034],
    ["spider_dev/codes-7b.txt", "lines", 1034],
    ["spider_dev/dail-sql__DAIL-SQL+GPT-4.txt", "lines", 1034],
    ["spider_dev/dail-sql__graphix_result.txt", "lines", 1034],
    ["spider_dev/dts-sql-mistral.txt", "lines", 1034],
    ["spider_dev/shantanu319_finetuned.txt", "lines", 1034],
    ["spider_dev/ta-sql.sql", "lines", 1034],
    ["bird_dev/bird-climb-baseline_32b.json", "bird-json", 1534],
    ["bird_dev/bird-climb-baseline_7b.json", "bird-json", 1534],
    ["bird_dev/bird-climb-prompt_v2.json", "bird-json", 1534],
    ["bird_dev/bird-climb-rl_7b.json", "bird-json", 1534],
    ["bird_dev/csc-sql-7b.sql", "lines", 1534],
    ["bird_dev/deepeye-gemma3-27b.json", "bird-json", 1534],
    ["bird_dev/deepeye-qwen3-coder-30b-a3b.json", "bird-json", 1534],
    ["bird_dev/rsl-sql-gpt-4o.txt", "lines", 1534],
    ["bird_mini_dev/sql_output_kg__predict_mini_dev_gpt-4-32k_sqlite.json", "bird-json", 500],
    ["bird_mini_dev/sql_output_kg__predict_mini_dev_gpt-4-turbo_sqlite.json", "bird-json", 500],
    ["bird_mini_dev/sql_output_kg__predict_mini_dev_gpt-4_sqlite.json", "bird-json", 500],
    [
      "bird_mini_dev/sql_output_kg__predict_mini_dev_phi-3-medium-128k-instruct-1_sqlite.json",
      "bird-json",
      500,
    ],
  ])("%s is read as %s with %i answers", async (name, id, count) => {
    const format = await plugs.find("prediction-format", id);
    const rows = await readAll(format, path.join(folder, "data/predictions", name));
    expect(rows).toHaveLength(count);
    expect(rows.filter((row) => (row.sql ?? "").trim() === "")).toEqual([]);
    const named = rows.filter((row) => row.databaseId !== null).length;
    expect([0, count]).toContain(named);
  });
});
