import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { trainingOverlap } from "../../pipelines/training-overlap.ts";
import { example } from "../curation/sample-rows.ts";
import { rowsOf } from "../fakes/run-stage.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const EVALUATED = rowsOf([
  example("a", { question: "How many  ferries are there?" }),
  example("b", { question: "Who sails?", databaseId: "captains" }),
  example("c", { question: "When?", databaseId: "clocks" }),
]);

async function shards(rows: readonly unknown[]): Promise<string> {
  const folder = await temporaryFolder();
  writeFileSync(path.join(folder, "train.jsonl"), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return folder;
}

describe("trainingOverlap", () => {
  it("finds questions of shards but for case, white space and punctuation, by database", async () => {
    const folder = await shards([
      { extra_info: { question: "how many ferries are there", db_id: "ferries" } },
      { question: "Who sails?", db_id: "ferries" },
    ]);
    expect(await trainingOverlap(folder, "/nowhere", EVALUATED)).toEqual({
      training: path.basename(folder),
      trainingQuestions: 2,
      evaluatedQuestions: 3,
      sameQuestionAndDatabase: 1,
      sameQuestion: 2,
      onTrainedDatabase: 1,
      databases: ["ferries"],
      questions: [expect.objectContaining({ sourceId: "a", databaseId: "ferries" })],
    });
  });

  it("refuses shards that do not say what they ask, and a run that is not there", async () => {
    const folder = await shards([{ messages: [] }]);
    await expect(trainingOverlap(folder, "/nowhere", EVALUATED)).rejects.toMatchObject({
      code: "TRAINING_UNREADABLE",
    });
    const runs = await temporaryFolder();
    await expect(trainingOverlap("absent", runs, EVALUATED)).rejects.toMatchObject({ code: "RUN_UNKNOWN" });
  });
});
