import { describe, expect, it } from "vitest";
import { mentionsGivenAnswer } from "../../synth/given-answer.ts";

describe("mentionsGivenAnswer", () => {
  it.each([
    "The gold SQL joins boat and crossing.",
    "As the reference query does, I group by island.",
    "According to the ground truth, three rows are due.",
    "The provided query uses DISTINCT.",
    "The given correct SQL has no join.",
    "I was shown a correct query, but the query I was given counts islands.",
    "The correct query below selects the name.",
    "The correct answer was given: three.",
    "This matches the correct query.",
    "For my eyes only there is a hint.",
    "I already know the answer.",
    "Compare with the official solution.",
    "The expected SQL counts rows.",
    "The GOLDEN\nANSWER is three.",
  ])("finds that %j speaks of an answer that was given", (text) => {
    expect(mentionsGivenAnswer(text)).toBe(true);
  });

  it.each([
    "",
    "The correct query is one that counts islands.",
    "The result is not what I expected.",
    "The question gives the year; the given name is a column.",
    "SELECT name FROM medal WHERE metal = 'gold'",
    "This is the right answer to the question.",
    "The results shown above have no NULL.",
    "The query that I run next shows the islands.",
    "The referenced table is boat.",
    "<schema>{}</schema><final_answer>SELECT 1</final_answer>",
  ])("lets %j pass", (text) => {
    expect(mentionsGivenAnswer(text)).toBe(false);
  });
});
