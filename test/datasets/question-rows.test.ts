import { describe, expect, it } from "vitest";
import { z } from "zod";
import { Written, readQuestions } from "../../datasets/question-rows.ts";
import { sourceFile } from "../../datasets/source-files.ts";
import { collect, writeFolder } from "./dataset-fixtures.ts";

async function read(content: unknown) {
  const root = await writeFolder({ "rows.json": content });
  return collect(
    readQuestions({
      root,
      file: sourceFile(root, "rows.json", "questions", true),
      dataset: { name: "own", release: "1", split: "dev" },
      row: z.object({ q: Written }),
      convert: (row, index) => [{ sourceId: String(index), databaseId: "d", question: row.q, gold: [] }],
    }),
  );
}

describe("readQuestions", () => {
  it("passes over unknown members and rejects what does not fit, in file order", async () => {
    const rows = await read([{ q: "a", more: [1] }, { q: 5 }, { q: " " }, "text", { q: "a" }]);
    expect(rows.map((row) => (row.kind === "example" ? row.example.sourceId : row.reject))).toEqual([
      "0",
      { rowId: "rows.json[1]", code: "ROW_INVALID", message: "q: expected string, received number" },
      { rowId: "rows.json[2]", code: "ROW_INVALID", message: "q: expected text, got only white space" },
      { rowId: "rows.json[3]", code: "ROW_INVALID", message: "expected object, received string" },
      "4",
    ]);
  });

  it("throws for a file that is cut off, naming file and place", async () => {
    await expect(read('[{"q": "a"}, {"q": "b')).rejects.toMatchObject({
      code: "DATASET_FILE_MALFORMED",
      site: { file: "rows.json" },
      message: expect.stringContaining("byte 21") as string,
    });
  });

  it("throws for a bad line of JSON Lines with its number", async () => {
    await expect(read('{"q": "a"}\n{"q"')).rejects.toMatchObject({
      code: "DATASET_FILE_MALFORMED",
      site: { file: "rows.json", line: 2 },
    });
  });
});
