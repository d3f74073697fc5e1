import path from "node:path";
import { describe, expect, it } from "vitest";
import csv from "../../../synth/prediction-formats/csv.ts";
import { writeFolder } from "../../datasets/dataset-fixtures.ts";
import { readAll } from "../synth-rows.ts";

async function read(text: string) {
  const root = await writeFolder({ "pred.csv": text });
  return readAll(csv, path.join(root, "pred.csv"));
}

describe("csv", () => {
  it("finds columns by name in any case, and not the gold", async () => {
    const rows = await read(
      'NLQ,PREDICTED SQL,GOLD SQL,DATABASE\n"How many, really?","SELECT ""a""\nFROM boat",SELECT 9,ferries\nWhich?,,SELECT 9,ferries \n',
    );
    expect(
      rows.map(({ position, question, sql, databaseId, key }) => [position, question, sql, databaseId, key]),
    ).toEqual([
      [0, "How many, really?", 'SELECT "a"\nFROM boat', "ferries", null],
      [1, "Which?", "", "ferries", null],
    ]);
  });

  it.each(["pred", "Prediction", "sql", "predicted_sql"])(
    "takes the column %s for the answer",
    async (name) => {
      const rows = await read(`db_id,${name}\r\nferries,SELECT 1\r\n`);
      expect(rows).toMatchObject([{ sql: "SELECT 1", databaseId: "ferries", question: null }]);
    },
  );

  it.each([
    ["", "line 1 is missing, expected a header such as question,sql,db_id"],
    ["question,answer\nq,a\n", "line 1 names no column of answers: got question, answer"],
    ['sql,db_id\n"SELECT\n1",ferries\nSELECT 2\n', "line 4 has 1 values, expected 2 as in the header"],
    ['sql,db_id\n"SELECT 1,ferries\n', "is no CSV"],
  ])("refuses %j with its line", async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({
      code: "IMPORT_FILE_MALFORMED",
      message: expect.stringContaining(message) as string,
    });
  });
});
