import { describe, expect, it } from "vitest";
import { sourceFile } from "../../datasets/source-files.ts";
import { readTables, readTablesFile, schemasOf } from "../../datasets/tables-file.ts";
import { BAKERY_TABLES, writeFolder } from "./dataset-fixtures.ts";

const BAKERY = {
  databaseId: "bakery",
  tables: [
    {
      name: "Loaf",
      comment: "loaf",
      columns: [
        { name: "Loaf_ID", type: "number", comment: "loaf id", primaryKey: 1 },
        { name: "Name", type: "text", comment: "", primaryKey: 0 },
      ],
    },
    {
      name: "Sale",
      comment: "sale",
      columns: [
        { name: "Loaf_ID", type: "number", comment: "loaf id", primaryKey: 1 },
        { name: "Day", type: "time", comment: "day of sale", primaryKey: 2 },
        { name: "Pieces", type: "number", comment: "", primaryKey: 0 },
      ],
    },
  ],
  foreignKeys: [{ table: "Sale", column: "Loaf_ID", referencedTable: "Loaf", referencedColumn: "Loaf_ID" }],
};

describe("readTables", () => {
  it("gives tables, natural names as comments, composite and single keys", async () => {
    const root = await writeFolder({ "tables.json": [BAKERY_TABLES] });
    const loaded = await readTables(root, sourceFile(root, "tables.json", "tables", true));
    expect(loaded).toEqual([{ schema: BAKERY, notes: [] }]);
    expect(await readTablesFile(`${root}/tables.json`)).toEqual([BAKERY]);
  });

  it("notes what does not fit and keeps the rest", async () => {
    const stray = {
      ...BAKERY_TABLES,
      foreign_keys: [
        [3, 1],
        [3, 99],
      ],
    };
    const root = await writeFolder({ "tables.json": [stray, { db_id: "odd", table_names_original: "x" }] });
    const loaded = await readTables(root, sourceFile(root, "tables.json", "tables", true));
    expect(loaded[0]).toEqual({ schema: BAKERY, notes: ["the foreign key [3, 99] names no column"] });
    expect(loaded[1]?.schema).toEqual({ databaseId: "odd", tables: [], foreignKeys: [] });
    expect(loaded[1]?.notes[0]).toMatch(/entry 1 does not fit: table_names_original: expected array/);
  });

  it("needs the file only where it is required", async () => {
    const root = await writeFolder({ "x.txt": "x" });
    expect(await readTables(root, sourceFile(root, "tables.json", "tables", false))).toEqual([]);
    await expect(readTables(root, sourceFile(root, "tables.json", "tables", true))).rejects.toMatchObject({
      code: "DATASET_FILE_MISSING",
    });
  });

  it("keeps the order of the file for the databases in use", () => {
    const loaded = ["c", "a", "b"].map((databaseId) => ({
      schema: { databaseId, tables: [], foreignKeys: [] },
      notes: [],
    }));
    const used = schemasOf(loaded, new Set(["a", "c"]));
    expect(used.map((schema) => schema.databaseId)).toEqual(["c", "a"]);
  });
});
