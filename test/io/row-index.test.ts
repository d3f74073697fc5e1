import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RowIndex } from "../../io/row-index.ts";
import { rowsOf } from "../fakes/run-stage.ts";

interface Line {
  readonly id: string;
  readonly text: string;
}

const keyOf = (row: Line): string => row.id;
let folder: string;
let before: string | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "row-index-test-"));
  before = process.env["TMPDIR"];
  process.env["TMPDIR"] = folder;
});

afterEach(async () => {
  if (before === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = before;
  await rm(folder, { recursive: true, force: true });
});

describe("RowIndex", () => {
  it("gives back rows by key in any order, whatever their bytes", async () => {
    const rows: Line[] = [
      { id: "a", text: "é\n漢字 𝄞" },
      { id: "b", text: "" },
      { id: "c", text: "x".repeat(300_000) },
      { id: "d", text: "last" },
    ];
    const index = await RowIndex.build(rowsOf(rows)(), { keyOf });
    try {
      for (const row of [rows[3], rows[0], rows[2], rows[1], rows[0]] as Line[]) {
        expect(await index.get(row.id)).toEqual(row);
      }
      expect(index.size).toBe(4);
      expect(index.has("c")).toBe(true);
      expect(await index.get("e")).toBeUndefined();
    } finally {
      await index.close();
    }
  });

  it("holds only the rows that are kept", async () => {
    const rows = rowsOf<Line>([
      { id: "a", text: "1" },
      { id: "b", text: "2" },
    ]);
    const index = await RowIndex.build(rows(), { keyOf, keep: (row) => row.id === "b" });
    expect(index.has("a")).toBe(false);
    expect(await index.get("b")).toEqual({ id: "b", text: "2" });
    await index.close();
  });

  it("works without rows", async () => {
    const index = await RowIndex.build(rowsOf<Line>([])(), { keyOf });
    expect(index.size).toBe(0);
    await index.close();
  });

  it("leaves no file behind, closed or failed", async () => {
    const index = await RowIndex.build(rowsOf<Line>([{ id: "a", text: "1" }])(), { keyOf });
    expect(await readdir(folder)).toHaveLength(1);
    await index.close();
    expect(await readdir(folder)).toEqual([]);
    const twice = rowsOf<Line>([
      { id: "a", text: "1" },
      { id: "a", text: "2" },
    ]);
    await expect(RowIndex.build(twice(), { keyOf })).rejects.toMatchObject({ code: "INDEX_KEY_TWICE" });
    expect(await readdir(folder)).toEqual([]);
  });

  it("says when there is no place for its file", async () => {
    process.env["TMPDIR"] = path.join(folder, "absent");
    await expect(RowIndex.build(rowsOf<Line>([])(), { keyOf })).rejects.toMatchObject({
      code: "FILE_MISSING",
    });
  });
});
