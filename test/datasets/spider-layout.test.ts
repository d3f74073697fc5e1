import path from "node:path";
import { describe, expect, it } from "vitest";
import {
  onlyRelease,
  spiderDatabaseFolders,
  spiderSchemas,
  spiderTables,
} from "../../datasets/spider-layout.ts";
import { BAKERY_TABLES, writeFolder } from "./dataset-fixtures.ts";

const source = (root: string, release: string | null = null) => ({ root, split: "dev", release });

describe("spiderDatabaseFolders", () => {
  it("looks at the dataset first, then at a Spider folder beside it, then above", () => {
    expect(spiderDatabaseFolders(source("/data/variants/dk"))).toEqual([
      "/data/variants/dk/database",
      "/data/variants/spider/database",
      "/data/spider/database",
    ]);
  });
});

describe("spiderTables", () => {
  it("prefers the dataset's own file and falls back to Spider's", async () => {
    const base = await writeFolder({
      "spider/tables.json": [BAKERY_TABLES],
      "own/tables.json": [],
      "bare/x.json": [],
    });
    expect((await spiderTables(source(path.join(base, "own")))).name).toBe("tables.json");
    expect((await spiderTables(source(path.join(base, "bare")))).name).toBe("../spider/tables.json");
    expect(await spiderSchemas(source(path.join(base, "bare")))).toHaveLength(1);
  });

  it("names the dataset's own file where there is none", async () => {
    const base = await writeFolder({ "a/b/x.json": [] });
    await expect(spiderSchemas(source(path.join(base, "a/b")))).rejects.toMatchObject({
      code: "DATASET_FILE_MISSING",
      site: { file: "tables.json" },
    });
  });
});

describe("onlyRelease", () => {
  it("is 1.0 unless a person names one", () => {
    expect(onlyRelease(source("/x"))).toBe("1.0");
    expect(onlyRelease(source("/x", "2020"))).toBe("2020");
  });
});
