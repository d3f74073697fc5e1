import { describe, expect, it } from "vitest";
import cosql from "../../../datasets/loaders/cosql.ts";
import { describeWithShared } from "../../shared-folder.ts";
import { countRows } from "../count-rows.ts";
import { collect, writeFolder } from "../dataset-fixtures.ts";

const DIALOGUES = [
  { database_id: "bakery", interaction: [{ utterance: "Any?", query: "SELECT Name FROM Loaf" }] },
];
const OFFICIAL = "sql_state_tracking/cosql_train.json";
const REBUILT = "sql_state_tracking/cosql_train.reconstructed.json";

async function releaseOf(files: Record<string, unknown>, release: string | null): Promise<unknown> {
  const root = await writeFolder(files);
  const [row] = await collect(cosql.load({ root, split: "train", release }));
  return row?.kind === "example" ? row.example.dataset.release : row;
}

describe("cosql", () => {
  it("prefers the official train file and names the reconstructed one", async () => {
    expect(await releaseOf({ [OFFICIAL]: DIALOGUES, [REBUILT]: DIALOGUES }, null)).toBe("1.0");
    expect(await releaseOf({ [REBUILT]: DIALOGUES }, null)).toBe("reconstructed");
    expect(await releaseOf({ [OFFICIAL]: DIALOGUES, [REBUILT]: DIALOGUES }, "reconstructed")).toBe(
      "reconstructed",
    );
  });

  it("does not pass the reconstructed file off as another release", async () => {
    await expect(releaseOf({ [REBUILT]: DIALOGUES }, "1.0")).rejects.toMatchObject({
      code: "DATASET_RELEASE_MISMATCH",
    });
  });
});

describeWithShared("cosql on the real files", (folder) => {
  it("finds what was published", async () => {
    expect(await countRows(`${folder}/data/cosql`, "cosql", "dev")).toMatchObject({
      examples: 1007,
      ids: 1007,
      rejects: 0,
      release: "1.0",
      dialogues: 293,
    });
    expect(await countRows(`${folder}/data/cosql`, "cosql", "train")).toMatchObject({
      examples: 7343,
      ids: 7343,
      rejects: 0,
      release: "reconstructed",
      dialogues: 2159,
    });
  });
});
