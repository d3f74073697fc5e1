import { describe, expect, it } from "vitest";
import spiderDk from "../../../datasets/loaders/spider-dk.ts";
import { describeWithShared } from "../../shared-folder.ts";
import { countRows } from "../count-rows.ts";
import { FIXTURES, collect, writeFolder } from "../dataset-fixtures.ts";

describe("spider-dk", () => {
  it("reads Spider-DK.json", async () => {
    const root = await writeFolder(FIXTURES["spider-dk"]?.files ?? {});
    const rows = await collect(spiderDk.load({ root, split: "dev", release: null }));
    expect(rows).toMatchObject([
      { example: { sourceId: "0", question: "Which loaf is rye?", difficulty: null } },
    ]);
  });
});

describeWithShared("spider-dk on the real files", (folder) => {
  it("finds what was published", async () => {
    expect(await countRows(`${folder}/data/spider_variants/spider_dk`, "spider-dk", "dev")).toEqual({
      examples: 535,
      ids: 535,
      rejects: 0,
      databases: 10,
      schemas: 169,
      release: "1.0",
    });
  });
});
