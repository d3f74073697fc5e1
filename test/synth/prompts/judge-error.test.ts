import { expect, it } from "vitest";
import { judgeErrorPrompt } from "../../../synth/prompts/judge-error.ts";

it("shows the dialogue, both queries and how the system's ended, and names each class", () => {
  const [system, user] = judgeErrorPrompt(
    {
      question: "And who sails it?",
      evidence: "captains sail",
      history: ["Which ferry is oldest?"],
      goldSql: "SELECT name\nFROM captain",
      predictedSql: null,
      outcome: "it was not run",
    },
    { join_path: "wrong joins", no_answer: "no query" },
  );
  expect(system?.rawText).toContain("- join_path: wrong joins\n- no_answer: no query");
  expect(system?.rawText).toContain('{"errors": ["kind", …]}');
  expect(user?.rawText.split("\n")).toEqual([
    "Question 1: Which ferry is oldest?",
    "Question: And who sails it?",
    "Hint: captains sail",
    'Reference query: "SELECT name\\nFROM captain"',
    "The system gave no query.",
    "It ended: it was not run",
  ]);
});
