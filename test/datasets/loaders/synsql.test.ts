import { describe, expect, it } from "vitest";
import synsql from "../../../datasets/loaders/synsql.ts";
import { describeWithShared } from "../../shared-folder.ts";
import { countRows } from "../count-rows.ts";
import { FIXTURES, collect, writeFolder } from "../dataset-fixtures.ts";

describe("synsql", () => {
  it("keeps reasoning and complexity; blank knowledge is none", async () => {
    const root = await writeFolder(FIXTURES["synsql"]?.files ?? {});
    expect(await collect(synsql.load({ root, split: "train", release: null }))).toMatchObject([
      {
        example: {
          gold: ["SELECT Name FROM Loaf"],
          evidence: null,
          difficulty: "Simple",
          referenceReasoning: "Only one table is needed.",
          dataset: { release: "2.5M" },
        },
      },
    ]);
  });

  it("names a part of the set by its file, with knowledge as evidence", async () => {
    const root = await writeFolder({
      "synsql_few.json": [
        { db_id: "bakery", question: "All?", sql: "SELECT 1", external_knowledge: "All is one." },
      ],
    });
    expect(await collect(synsql.load({ root, split: "train", release: null }))).toMatchObject([
      { example: { evidence: "All is one.", difficulty: null, dataset: { release: "synsql_few" } } },
    ]);
  });
});

describeWithShared("synsql on the real files", (folder) => {
  it("finds what was published", async () => {
    expect(await countRows(`${folder}/data/synsql`, "synsql", "train")).toMatchObject({
      examples: 1000,
      ids: 1000,
      rejects: 0,
      release: "synsql_sample_1000",
    });
  });
});
