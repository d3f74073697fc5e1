import { describe, expect, it } from "vitest";
import { readJson, readJsonRows } from "../../io/json-array.ts";
import { writeFolder } from "../datasets/dataset-fixtures.ts";

async function rowsOf(content: unknown): Promise<unknown[]> {
  const root = await writeFolder({ "rows.json": content });
  const rows: unknown[] = [];
  for await (const row of readJsonRows(`${root}/rows.json`)) rows.push([row.index, row.value]);
  return rows;
}

describe("readJsonRows", () => {
  it("yields the elements of an array with their index", async () => {
    expect(await rowsOf(' [ {"a": "ü\\n"}, [1.5, true], null, -12 ]\n')).toEqual([
      [0, { a: "ü\n" }],
      [1, [1.5, true]],
      [2, null],
      [3, -12],
    ]);
    expect(await rowsOf("[]")).toEqual([]);
  });

  it("passes over a byte order mark", async () => {
    expect(await rowsOf('\uFEFF["a"]')).toEqual([[0, "a"]]);
  });

  it("reads JSON Lines", async () => {
    expect(await rowsOf('{"a": 1}\n\n{"a": 2}\n')).toEqual([
      [0, { a: 1 }],
      [1, { a: 2 }],
    ]);
  });

  it.each([
    ['[{"a": 1}, {"a": "cut', /at its end, byte 21:/],
    ["[1, 2", /at its end, byte 5:/],
    ["[1,]", /near byte 0 of 4: .*unexpected token/],
    ['[1]["x"]', /near byte 0 of 8/],
    [`[${'"0123456789012345", '.repeat(60)}} and much more text`, /near byte 1024 of 1221/],
    ["", /starts with nothing/],
    ["questions", /starts with "q"/],
  ])("says where %j is malformed", async (text, message) => {
    const failure = await rowsOf(text).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(failure).toMatchObject({ code: "JSON_MALFORMED" });
    expect((failure as Error).message).toMatch(message);
  });

  it("names the line of a malformed JSON Lines file", async () => {
    await expect(rowsOf('{"a": 1}\n{"a"\n')).rejects.toMatchObject({
      code: "JSONL_MALFORMED",
      site: { line: 2 },
    });
  });

  it("names a file that is not there", async () => {
    await expect(readJsonRows("/nowhere/rows.json").next()).rejects.toMatchObject({ code: "FILE_MISSING" });
  });
});

describe("readJson", () => {
  it("reads a whole value", async () => {
    const root = await writeFolder({ "one.json": '{"0": "SELECT 1"}', "bad.json": "{" });
    expect(await readJson(`${root}/one.json`)).toEqual({ "0": "SELECT 1" });
    await expect(readJson(`${root}/bad.json`)).rejects.toMatchObject({ code: "JSON_MALFORMED" });
  });
});
