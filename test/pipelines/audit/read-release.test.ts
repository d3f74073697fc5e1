import path from "node:path";
import { describe, expect, it } from "vitest";
import { readRelease } from "../../../pipelines/audit/read-release.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

const ROW = { question_id: 3, db_id: "shop", question: "q", SQL: "SELECT 1" };

describe("readRelease", () => {
  it("reads JSON, JSON Lines and CSV", async () => {
    const folder = await temporaryFolder({
      "a.json": JSON.stringify([ROW]),
      "b.jsonl": `${JSON.stringify(ROW)}\n`,
      "c.csv": '\uFEFFQuestion ID,db_id,question,SQL\n3,shop,q,"SELECT 1"\n,,,\n',
    });
    for (const name of ["a.json", "b.jsonl", "c.csv"]) {
      const { rows } = await readRelease(path.join(folder, name), "before");
      expect(rows).toMatchObject([{ id: "3", databaseId: "shop", question: "q", gold: ["SELECT 1"] }]);
    }
  });

  it("reads the questions files of a folder, without its tables and databases", async () => {
    const folder = await temporaryFolder({
      "dev.json": JSON.stringify([ROW]),
      "dev_tables.json": JSON.stringify([{ db_id: "shop", question: "no" }]),
      "turns/dev_turns.json": JSON.stringify([{ database_id: "shop", interaction: [{ utterance: "u" }] }]),
      "dev_databases/shop/shop.json": JSON.stringify([ROW]),
    });
    const { rows, databaseFolders, name } = await readRelease(folder, "after");
    expect(rows.map(({ id, question }) => [id, question])).toEqual([
      ["dev/3", "q"],
      ["dev_turns/0:0", "u"],
    ]);
    expect(databaseFolders).toEqual([path.join(folder, "dev_databases"), folder]);
    expect(name).toBe(folder.split(path.sep).slice(-2).join("/"));
  });

  it("refuses what has no questions", async () => {
    const folder = await temporaryFolder({ "a.json": JSON.stringify([{ name: "x" }]) });
    for (const place of [folder, path.join(folder, "a.json")])
      await expect(readRelease(place, "before")).rejects.toMatchObject({ code: "RELEASE_EMPTY" });
    await expect(readRelease(path.join(folder, "b.json"), "before")).rejects.toMatchObject({
      code: "FILE_MISSING",
    });
  });
});
