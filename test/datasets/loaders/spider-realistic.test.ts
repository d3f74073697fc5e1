import path from "node:path";
import { describe, expect, it } from "vitest";
import spiderRealistic from "../../../datasets/loaders/spider-realistic.ts";
import { describeWithShared } from "../../shared-folder.ts";
import { countRows } from "../count-rows.ts";
import { BAKERY_TABLES, collect, writeFolder } from "../dataset-fixtures.ts";

describe("spider-realistic", () => {
  it("runs on a Spider folder beside it, or one level above", async () => {
    const questions = [{ db_id: "bakery", question: "What is sold?", query: "SELECT Name FROM Loaf" }];
    for (const home of ["realistic", "variants/realistic"]) {
      const base = await writeFolder({
        [`${home}/spider-realistic.json`]: questions,
        "spider/tables.json": [BAKERY_TABLES],
      });
      const source = { root: path.join(base, home), split: "dev", release: null };
      expect(await collect(spiderRealistic.load(source))).toHaveLength(1);
      expect(await spiderRealistic.schemas(source)).toHaveLength(1);
      expect(spiderRealistic.databaseFolders(source)).toContain(path.join(base, "spider/database"));
    }
  });
});

describeWithShared("spider-realistic on the real files", (folder) => {
  it("finds what was published", async () => {
    const root = `${folder}/data/spider_variants/spider_realistic`;
    expect(await countRows(root, "spider-realistic", "dev")).toEqual({
      examples: 508,
      ids: 508,
      rejects: 0,
      databases: 19,
      schemas: 166,
      release: "1.0",
    });
  });
});
