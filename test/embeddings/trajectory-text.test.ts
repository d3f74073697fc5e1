import { expect, it } from "vitest";
import { trajectoryText } from "../../embeddings/trajectory-text.ts";
import { message } from "../curation/sample-rows.ts";

it("a trajectory's text is what it did, without prompt and results", () => {
  const call = {
    id: "1",
    name: "exec_sql",
    argumentsRaw: '{"code":"SELECT 1"}',
    arguments: { code: "SELECT\n 1" },
  };
  const messages = [
    message("user", "a prompt"),
    { ...message("assistant", "raw"), toolCalls: [call], steps: ["PROPOSE", "EXECUTE"], reasoning: "I try" },
    { ...message("user", "a result"), origin: "environment" as const },
    message("assistant", "final"),
  ];
  const taken = { messages, finalSql: "SELECT 2;" };
  expect(trajectoryText(taken, ["sql", "actions"])).toBe(
    "step PROPOSE EXECUTE\ncall exec_sql\nSELECT 1\ncall answer\nSELECT 2",
  );
  expect(trajectoryText(taken, ["sql"])).toBe("SELECT 1\nSELECT 2");
  expect(trajectoryText(taken, ["thoughts"])).toBe("I try");
});
