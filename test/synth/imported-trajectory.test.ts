import { describe, expect, it } from "vitest";
import { Trajectory } from "../../core/trajectory.ts";
import type { ImportedAnswer } from "../../synth/join-predictions.ts";
import { importedTrajectory } from "../../synth/imported-trajectory.ts";
import { readMessages } from "../../synth/rollout-messages.ts";
import { example } from "./synth-rows.ts";

const PLACE = { model: { name: "m", revision: "r" }, sampleIndex: 3, round: 1 };

function imported(answer: Partial<ImportedAnswer>): Trajectory {
  const whole = { sampleIndex: 0, position: 0, sql: null, rawText: null, messages: null, ...answer };
  return Trajectory.parse(importedTrajectory(example("5"), whole, PLACE));
}

describe("importedTrajectory", () => {
  it("keeps the SQL as written and teaches it in the block that prompts ask for", () => {
    const trajectory = imported({ sql: " SELECT 1; " });
    expect(trajectory).toMatchObject({
      exampleId: example("5").id,
      sampleIndex: 3,
      round: 1,
      model: { name: "m", revision: "r" },
      scaffold: { id: "imported", version: 1, options: {} },
      source: "imported",
      pastThoughts: "none",
      finalSql: " SELECT 1; ",
      stopReason: "answered",
      seed: null,
    });
    expect(trajectory.messages).toEqual([
      {
        role: "assistant",
        origin: "sampled",
        rawText: "```sql\n SELECT 1; \n```",
        rawExact: false,
        reasoning: null,
        content: "```sql\n SELECT 1; \n```",
        toolCalls: [],
        toolCallId: null,
        train: true,
        weight: 1,
        trainReason: "answer",
      },
    ]);
  });

  it("keeps a reply that ends in a block, and writes others anew", () => {
    const kept = "<think>\nOne.\n</think>\nHere:\n```sql\nSELECT 1\n```\n";
    expect(imported({ rawText: kept })).toMatchObject({
      finalSql: "SELECT 1",
      messages: [{ rawText: kept, reasoning: "One.", content: "Here:\n\n```sql\nSELECT 1\n```" }],
    });
    expect(imported({ rawText: "<think>One.</think>Here: <answer>SELECT 1</answer> Bye." })).toMatchObject({
      finalSql: "SELECT 1",
      messages: [{ rawText: "<think>\nOne.\n</think>\n\nHere:\n\n```sql\nSELECT 1\n```" }],
    });
  });

  it("takes the SQL column over the reply's block", () => {
    const trajectory = imported({ sql: "SELECT 2", rawText: "So:\n```sql\nSELECT 1\n```" });
    expect(trajectory).toMatchObject({
      finalSql: "SELECT 2",
      messages: [{ rawText: "So:\n\n```sql\nSELECT 2\n```" }],
    });
  });

  it("never teaches a blank or missing answer", () => {
    const untaught = { train: false, weight: 0, trainReason: "no_answer" };
    expect(imported({ sql: "" })).toMatchObject({
      finalSql: "",
      stopReason: "no_answer",
      messages: [{ ...untaught, rawText: "", content: "" }],
    });
    expect(imported({})).toMatchObject({ finalSql: null, stopReason: "no_answer", messages: [untaught] });
    expect(imported({ rawText: "No idea." })).toMatchObject({
      finalSql: null,
      stopReason: "no_answer",
      messages: [{ ...untaught, rawText: "No idea." }],
    });
  });

  it("keeps a rollout, its answer taken from the last reply where the file has none", () => {
    const messages = readMessages(
      [
        { role: "assistant", content: "<think>Look.</think>" },
        { role: "user", content: "3 rows" },
        { role: "assistant", content: "<solution>SELECT 3</solution>" },
      ],
      (problem) => new Error(problem),
    );
    const trajectory = imported({ messages });
    expect(trajectory.messages).toEqual(messages);
    expect(trajectory).toMatchObject({ finalSql: "SELECT 3", stopReason: "answered", pastThoughts: "kept" });
    expect(imported({ messages, sql: "SELECT 4" }).finalSql).toBe("SELECT 4");
  });

  it("has the identity of the question, the model and the sample, not of the answer", () => {
    expect(imported({ sql: "SELECT 1" }).id).toBe(imported({ sql: "SELECT 2" }).id);
    const other = importedTrajectory(
      example("5"),
      { position: 0, sql: "SELECT 1", rawText: null, messages: null },
      { ...PLACE, sampleIndex: 4 },
    );
    expect(other.id).not.toBe(imported({ sql: "SELECT 1" }).id);
  });
});
