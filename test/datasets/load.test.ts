import { describe, expect, it } from "vitest";
import { loadStage } from "../../datasets/load.ts";
import { createPlugFinder } from "../../pipelines/plugs.ts";
import { runStage } from "../fakes/run-stage.ts";
import { BAKERY_TABLES, FIXTURES, writeFolder } from "./dataset-fixtures.ts";

const plugs = createPlugFinder();
const OPTIONS = { loader: "spider", split: "dev", release: null, limit: null };

const row = (databaseId: string) => ({ db_id: databaseId, question: "q", query: "SELECT 1" });

describe("loadStage", () => {
  it("gives examples, rejects and the schemas in use, in the order of the tables file", async () => {
    const zoo = { ...BAKERY_TABLES, db_id: "zoo" };
    const unused = { ...BAKERY_TABLES, db_id: "unused" };
    const root = await writeFolder({
      "tables.json": [zoo, unused, BAKERY_TABLES],
      "dev.json": [row("bakery"), row("zoo"), { db_id: "zoo" }, row("lost")],
    });
    const warnings: string[] = [];
    const out = await runStage(loadStage, {}, OPTIONS, { plugs, runtime: { root }, warnings });
    expect(out.examples.map((example) => example.databaseId)).toEqual(["bakery", "zoo", "lost"]);
    expect(out.schemas.map((schema) => schema.databaseId)).toEqual(["zoo", "bakery"]);
    expect(out.rejects.map((reject) => reject.rowId)).toEqual(["dev.json[2]"]);
    expect(warnings).toEqual(["1 of 3 databases are in no tables file: lost"]);
  });

  it("stops at the limit", async () => {
    const root = await writeFolder(FIXTURES["spider"]?.files ?? {});
    const out = await runStage(loadStage, {}, { ...OPTIONS, limit: 2 }, { plugs, runtime: { root } });
    expect(out.examples).toHaveLength(2);
    expect(out.rejects).toHaveLength(0);
  });

  it("names its plug and the files that are there", async () => {
    const root = await writeFolder(FIXTURES["spider"]?.files ?? {});
    expect(loadStage.plugs(OPTIONS, plugs)).toEqual([{ kind: "loader", id: "spider" }]);
    expect(await loadStage.sources(OPTIONS, { root }, plugs, {})).toEqual([
      { name: "dev.json", path: `${root}/dev.json` },
      { name: "tables.json", path: `${root}/tables.json` },
    ]);
  });

  it("refuses to start without a required file", async () => {
    const root = await writeFolder({ "dev.json": [] });
    const missing = { code: "DATASET_FILE_MISSING", site: { file: "tables.json" } };
    await expect(loadStage.sources(OPTIONS, { root }, plugs, {})).rejects.toMatchObject(missing);
    await expect(runStage(loadStage, {}, OPTIONS, { plugs, runtime: { root } })).rejects.toMatchObject(
      missing,
    );
  });
});
