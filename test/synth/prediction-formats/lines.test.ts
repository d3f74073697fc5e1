import { describe, expect, it } from "vitest";
import path from "node:path";
import lines from "../../../synth/prediction-formats/lines.ts";
import { writeFolder } from "../../datasets/dataset-fixtures.ts";
import { readAll } from "../synth-rows.ts";

async function answers(text: string): Promise<(readonly [string | null, string | null])[]> {
  const root = await writeFolder({ "pred.txt": text });
  const rows = await readAll(lines, path.join(root, "pred.txt"));
  expect(rows.map((row) => row.position)).toEqual(rows.map((_, index) => index));
  return rows.map((row) => [row.sql, row.databaseId] as const);
}

describe("lines", () => {
  it("takes a line each, a blank line for an empty answer, the last without its end", async () => {
    expect(await answers("SELECT 1\n\n  \nSELECT 2")).toEqual([
      ["SELECT 1", null],
      ["", null],
      ["  ", null],
      ["SELECT 2", null],
    ]);
    expect(await answers("SELECT 1\nSELECT 2\n")).toEqual([
      ["SELECT 1", null],
      ["SELECT 2", null],
    ]);
    expect(await answers("SELECT 1\n\n")).toEqual([
      ["SELECT 1", null],
      ["", null],
    ]);
    expect(await answers("")).toEqual([]);
  });

  it("ends lines at \\r\\n and passes over a byte order mark", async () => {
    expect(await answers("\uFEFFSELECT 'a\u2028b'\r\nSELECT 2\r\n")).toEqual([
      ["SELECT 'a\u2028b'", null],
      ["SELECT 2", null],
    ]);
  });

  it("takes the database after the last tab when every line has one", async () => {
    expect(await answers("SELECT\t1\tferries\n\nSELECT 2 \tferries_2\n\tferries\n")).toEqual([
      ["SELECT\t1", "ferries"],
      ["", null],
      ["SELECT 2 ", "ferries_2"],
      ["", "ferries"],
    ]);
  });

  it("takes tabs for SQL when a line has no database", async () => {
    expect(await answers("SELECT name\tFROM\tboat\nSELECT 2\n")).toEqual([
      ["SELECT name\tFROM\tboat", null],
      ["SELECT 2", null],
    ]);
  });

  it("takes BIRD's suffix off", async () => {
    expect(await answers("SELECT 1\t----- bird -----\tferries\nSELECT 2\n")).toEqual([
      ["SELECT 1", "ferries"],
      ["SELECT 2", null],
    ]);
  });
});
