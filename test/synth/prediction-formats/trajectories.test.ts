import path from "node:path";
import { describe, expect, it } from "vitest";
import trajectories from "../../../synth/prediction-formats/trajectories.ts";
import { writeFolder } from "../../datasets/dataset-fixtures.ts";
import { readAll } from "../synth-rows.ts";

async function read(...lines: readonly unknown[]) {
  const root = await writeFolder({ "t.jsonl": lines.map((line) => JSON.stringify(line)).join("\n") });
  return readAll(trajectories, path.join(root, "t.jsonl"));
}

describe("trajectories", () => {
  it("reads the key, the answer and the messages", async () => {
    const messages = [
      { role: "user", content: "How many boats?" },
      { role: "assistant", content: "Three." },
    ];
    const rows = await read({ example_id: "x", sample_index: 2, messages, final_sql: "SELECT 3" });
    expect(rows).toMatchObject([
      { key: "x", keyKind: "name", position: 0, sampleIndex: 2, sql: "SELECT 3", rawText: null },
    ]);
    expect(rows[0]?.messages?.map(({ role, rawText, train }) => [role, rawText, train])).toEqual([
      ["user", "How many boats?", false],
      ["assistant", "Three.", true],
    ]);
  });

  it.each([
    [{ id: 1 }, "line 1 has no messages, expected a list of at least one"],
    [{ id: 1, messages: [{ role: "user", content: "" }] }, "line 1 has no assistant message"],
    [
      { id: 1, messages: [{ role: "model", content: "" }, { role: "assistant" }] },
      'line 1 has messages[0].role "model", expected system, user, assistant or tool',
    ],
  ])("refuses %j", async (line, message) => {
    await expect(read(line)).rejects.toMatchObject({
      code: "IMPORT_FILE_MALFORMED",
      message: expect.stringContaining(message) as string,
    });
  });
});
