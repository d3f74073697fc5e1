import path from "node:path";
import { describe, expect, it } from "vitest";
import jsonl from "../../../synth/prediction-formats/jsonl.ts";
import { writeFolder } from "../../datasets/dataset-fixtures.ts";
import { readAll } from "../synth-rows.ts";

async function read(...lines: readonly unknown[]) {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  const root = await writeFolder({ "pred.jsonl": text });
  return readAll(jsonl, path.join(root, "pred.jsonl"));
}

describe("jsonl", () => {
  it("reads keys, answers and what must agree", async () => {
    const rows = await read(
      { question_id: 17, pred: "SELECT 1", db_id: "ferries", question: "q", sample_index: 1 },
      "",
      { index: 3, sql: "SELECT 2" },
      { source_id: "0:1", prediction: null, completion: "thinking" },
      { id: "a", predicted_sql: "" },
    );
    expect(rows).toEqual([
      {
        key: "17",
        keyKind: "name",
        position: 0,
        sql: "SELECT 1",
        databaseId: "ferries",
        question: "q",
        sampleIndex: 1,
        rawText: null,
        messages: null,
      },
      expect.objectContaining({
        key: "3",
        keyKind: "position",
        position: 1,
        sql: "SELECT 2",
        sampleIndex: null,
      }),
      expect.objectContaining({ key: "0:1", keyKind: "name", position: 2, sql: null, rawText: "thinking" }),
      expect.objectContaining({ key: "a", position: 3, sql: "" }),
    ]);
  });

  it("joins by position without a key", async () => {
    expect(await read({ response: "r" })).toMatchObject([{ key: null, position: 0, rawText: "r" }]);
  });

  it.each([
    ["{", "line 2 is not JSON"],
    ["[1]", "line 2 is no JSON object"],
    ['{"id": 2}', "line 2 has no answer, expected one of pred,"],
    [
      '{"id": 2, "sql": "", "sample_index": -1}',
      "line 2 has sample_index -1, expected a whole number from 0",
    ],
    ['{"sql": "", "sample_index": 1}', "line 2 has a sample_index but no key"],
  ])("refuses %s with its line", async (line, message) => {
    await expect(read({ id: 1, sql: "" }, line)).rejects.toMatchObject({
      code: "IMPORT_FILE_MALFORMED",
      message: expect.stringContaining(message) as string,
      site: { file: "pred.jsonl", line: 2 },
    });
  });
});
