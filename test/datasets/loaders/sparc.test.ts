import { describe, expect, it } from "vitest";
import sparc from "../../../datasets/loaders/sparc.ts";
import { describeWithShared } from "../../shared-folder.ts";
import { countRows } from "../count-rows.ts";
import { FIXTURES, collect, writeFolder } from "../dataset-fixtures.ts";

describe("sparc", () => {
  it("gives one example a turn with cleaned golds, and rejects a dialogue that is none", async () => {
    const root = await writeFolder(FIXTURES["sparc"]?.files ?? {});
    const rows = await collect(sparc.load({ root, split: "dev", release: null }));
    expect(rows).toMatchObject([
      { example: { sourceId: "0:0", history: [], dialogue: { id: "0", turn: 0, turns: 2 } } },
      {
        example: {
          sourceId: "0:1",
          question: "Not rye.",
          gold: ["SELECT * FROM Loaf WHERE Name != 'Rye'"],
          history: [{ question: "Show all loaves.", gold: "SELECT * FROM Loaf" }],
        },
      },
      { reject: { rowId: "dev.json[1]", code: "ROW_INVALID" } },
    ]);
  });
});

describeWithShared("sparc on the real files", (folder) => {
  it("finds what was published", async () => {
    expect(await countRows(`${folder}/data/sparc`, "sparc", "dev")).toEqual({
      examples: 1203,
      ids: 1203,
      rejects: 0,
      databases: 20,
      schemas: 166,
      release: "1.0",
      dialogues: 422,
    });
  });
});
