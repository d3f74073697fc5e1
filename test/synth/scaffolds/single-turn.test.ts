import { describe, expect, it } from "vitest";
import { keyOf } from "../../../core/key.ts";
import type { ModelReply } from "../../../core/model.ts";
import type { Reaction } from "../../../core/scaffold.ts";
import singleTurn from "../../../synth/scaffolds/single-turn.ts";
import { modelReply } from "../../fakes/model.ts";
import { openingOf, reactionTo } from "../episode-rows.ts";

const FENCE = "```sql\nSELECT name FROM boat\n```";
const NO_ANSWER: Reaction = { kind: "stop", reason: "no_answer" };
const ANSWER: Reaction = { kind: "answer", sql: "SELECT name FROM boat" };

describe("single-turn", () => {
  it("is one turn without tools", () => {
    expect(singleTurn.maxTurns({})).toBe(1);
    expect(singleTurn.tools({})).toEqual([]);
    expect(singleTurn.stops({})).toEqual([]);
    expect(singleTurn.readsGold).toBe(false);
  });

  it("opens with a prompt that changes only with the version", () => {
    const history = [{ question: "How many boats?", sql: "SELECT count(*) FROM boat" }];
    const opening = openingOf({ history });
    const messages = singleTurn.open(opening, { history: "gold" });
    expect(singleTurn.version).toBe(1);
    expect(keyOf(messages.map(({ role, rawText }) => [role, rawText]))).toBe(
      "cfe98b09eddfd3ef9b1dfd29e95385ed0353cd318882efa09702afedb6c66777",
    );
    expect(messages[1]?.rawText).toBe(
      [
        "Database (SQLite):",
        "",
        "CREATE TABLE boat (",
        "  name TEXT",
        ");",
        "",
        "Earlier questions of this conversation, oldest first:",
        "1. How many boats?",
        "   SQL: SELECT count(*) FROM boat",
        "",
        "Question:",
        "Which boats are there?",
      ].join("\n"),
    );
    expect(singleTurn.open(opening, { history: "questions" })[1]?.rawText).not.toContain("count(*)");
  });

  it.each<[string, ModelReply, Reaction]>([
    ["a thought and a block", modelReply(`<think>easy</think>\n${FENCE}`), ANSWER],
    ["the last of two blocks", modelReply(`\`\`\`sql\nSELECT 1\n\`\`\`\nBetter:\n${FENCE}`), ANSWER],
    [
      "a thought that the server parsed out",
      modelReply(FENCE, { reasoning: "```sql\nSELECT 2\n```" }),
      ANSWER,
    ],
    ["a block in the thought alone", modelReply(`<think>${FENCE}</think> I do not know.`), NO_ANSWER],
    ["a thought that never ends", modelReply(`<think>${FENCE}`), NO_ANSWER],
    ["a block that never ends", modelReply("```sql\nSELECT name FROM boat"), NO_ANSWER],
    ["an empty block", modelReply("```sql\n\n```"), NO_ANSWER],
    ["bare SQL", modelReply("SELECT name FROM boat"), NO_ANSWER],
    ["nothing", modelReply(""), NO_ANSWER],
    ["a thought and nothing", modelReply("", { reasoning: "hm" }), NO_ANSWER],
  ])("reads %s", (_, reply, expected) => {
    expect(reactionTo(singleTurn, reply)).toEqual(expected);
  });

  it("keeps the reply as sampled and parts its thought", () => {
    const text = `<think>\neasy\n</think>\n\n${FENCE}\n`;
    expect(singleTurn.read(modelReply(text), {})).toMatchObject({
      rawText: text,
      rawExact: true,
      reasoning: "easy",
      content: FENCE,
      trainReason: "sampled",
    });
    expect(singleTurn.read(modelReply(FENCE, { reasoning: "easy" }), {})).toMatchObject({
      rawText: `<think>\neasy\n</think>\n\n${FENCE}`,
      rawExact: false,
      reasoning: "easy",
      content: FENCE,
    });
  });
});
