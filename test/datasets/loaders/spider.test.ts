import path from "node:path";
import { describe, expect, it } from "vitest";
import spider from "../../../datasets/loaders/spider.ts";
import { describeWithShared } from "../../shared-folder.ts";
import { countRows } from "../count-rows.ts";
import { BAKERY_TABLES, FIXTURES, collect, writeFolder } from "../dataset-fixtures.ts";

const source = (root: string, split = "dev") => ({ root, split, release: null });

describe("spider", () => {
  it("names rows by their place and rejects what is no question", async () => {
    const root = await writeFolder(FIXTURES["spider"]?.files ?? {});
    const rows = await collect(spider.load(source(root)));
    expect(rows[1]).toMatchObject({
      example: {
        sourceId: "1",
        databaseId: "bakery",
        question: "Name them.",
        gold: ["SELECT Name FROM Loaf"],
        dataset: { name: "spider", release: "1.0", split: "dev" },
      },
    });
    expect(rows[3]).toMatchObject({ reject: { rowId: "dev.json[3]", code: "ROW_INVALID" } });
  });

  it("reads the test split with its own tables and databases, and train with the usual ones", async () => {
    const question = { db_id: "bakery", question: "All?", query: "SELECT * FROM Loaf" };
    const root = await writeFolder({
      "test_data/dev.json": [question],
      "test_data/tables.json": [BAKERY_TABLES],
      "tables.json": [],
      "train_spider.json": [question],
    });
    expect(await collect(spider.load(source(root, "test")))).toHaveLength(1);
    expect(await spider.schemas(source(root, "test"))).toHaveLength(1);
    expect(await spider.schemas(source(root, "train"))).toHaveLength(0);
    expect(spider.databaseFolders(source(root, "test"))[0]).toBe(path.join(root, "test_database"));
    expect(spider.databaseFolders(source(root, "train"))[0]).toBe(path.join(root, "database"));
  });

  it("says that golds alone are no questions", async () => {
    const root = await writeFolder({ "test_gold.sql": "SELECT 1\tbakery\n", "tables.json": [BAKERY_TABLES] });
    const files = await spider.files(source(root, "test"));
    expect(files.map((file) => [file.role, file.name])).toEqual([
      ["questions", "test.json"],
      ["tables", "tables.json"],
      ["gold", "test_gold.sql"],
    ]);
    await expect(collect(spider.load(source(root, "test")))).rejects.toMatchObject({
      code: "DATASET_FILE_MISSING",
      message: expect.stringContaining("test.json") as string,
    });
  });
});

describeWithShared("spider on the real files", (folder) => {
  it("finds what was published", async () => {
    expect(await countRows(`${folder}/data/spider`, "spider", "train")).toEqual({
      examples: 7000,
      ids: 7000,
      rejects: 0,
      databases: 140,
      schemas: 166,
      release: "1.0",
    });
    expect(await countRows(`${folder}/data/spider`, "spider", "dev")).toMatchObject({
      examples: 1034,
      databases: 20,
    });
  });
});
