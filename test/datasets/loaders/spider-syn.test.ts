import { describe, expect, it } from "vitest";
import spiderSyn from "../../../datasets/loaders/spider-syn.ts";
import { describeWithShared } from "../../shared-folder.ts";
import { countRows } from "../count-rows.ts";
import { FIXTURES, collect, writeFolder } from "../dataset-fixtures.ts";

describe("spider-syn", () => {
  it("asks the synonym question and keeps the one it paraphrases", async () => {
    const root = await writeFolder(FIXTURES["spider-syn"]?.files ?? {});
    const rows = await collect(spiderSyn.load({ root, split: "dev", release: null }));
    expect(rows).toMatchObject([
      { example: { question: "How many breads?", paraphraseOf: "How many loaves?" } },
    ]);
  });
});

describeWithShared("spider-syn on the real files", (folder) => {
  it("finds what was published", async () => {
    const root = `${folder}/data/spider_variants/spider_syn`;
    expect(await countRows(root, "spider-syn", "dev")).toMatchObject({
      examples: 1034,
      ids: 1034,
      rejects: 0,
    });
    expect(await countRows(root, "spider-syn", "train")).toMatchObject({
      examples: 7000,
      ids: 7000,
      rejects: 0,
      databases: 140,
    });
  });
});
