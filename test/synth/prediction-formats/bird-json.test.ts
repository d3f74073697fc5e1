import path from "node:path";
import { describe, expect, it } from "vitest";
import birdJson from "../../../synth/prediction-formats/bird-json.ts";
import { writeFolder } from "../../datasets/dataset-fixtures.ts";
import { readAll } from "../synth-rows.ts";

async function read(text: string) {
  const root = await writeFolder({ "pred.json": text });
  return readAll(birdJson, path.join(root, "pred.json"));
}

describe("bird-json", () => {
  it("keys answers by place, with or without the suffix, in the order of the file", async () => {
    const text = String.raw`{
  "0": "SELECT \"a\"\n\t----- bird -----\tferries",
  "10": "SELECT '\u00e9\\'",
  "1": null, "2": 7, "3": ""
}
`;
    const rows = await read(text);
    expect(
      rows.map(({ key, keyKind, position, sql, databaseId }) => [key, keyKind, position, sql, databaseId]),
    ).toEqual([
      ["0", "position", 0, 'SELECT "a"\n', "ferries"],
      ["10", "position", 1, "SELECT 'é\\'", null],
      ["1", "position", 2, null, null],
      ["2", "position", 3, null, null],
      ["3", "position", 4, "", null],
    ]);
  });

  it("keeps repeated keys apart as the same sample", async () => {
    const rows = await read('{"0": "a", "0": "b"}');
    expect(rows.map((row) => [row.key, row.sampleIndex, row.sql])).toEqual([
      ["0", 0, "a"],
      ["0", 0, "b"],
    ]);
  });

  it("reads an empty object", async () => {
    expect(await read(" {\n} ")).toEqual([]);
  });

  it.each([
    ["[]", 'cannot read pred.json: line 1 has "[]", expected {'],
    ['{"0": "a",\n"1" "b"}', 'cannot read pred.json: line 2 has "\\"b\\"}", expected :'],
    ['{"0": "a",\n\n"one": "b"}', 'line 3 has the key "one", expected a question\'s place, from 0'],
    ['{"0": {"sql": "a"}}', 'line 1 has "{\\"sql\\": \\"a\\"}}", expected a string'],
    ['{"0": "a"', "line 1 has its end, expected ,"],
    ['{"0": "a"} x', 'line 1 has "x" after the object'],
    ['{"0": "\\q"}', "line 1 has a string that is not JSON"],
  ])("refuses %s with its line", async (text, message) => {
    await expect(read(text)).rejects.toMatchObject({
      code: "IMPORT_FILE_MALFORMED",
      message: expect.stringContaining(message) as string,
      site: { file: "pred.json" },
    });
  });
});
