import { expect, it } from "vitest";
import { JUDGE_ANNOTATION_SYSTEM, judgeAnnotationPrompt } from "../../../synth/prompts/judge-annotation.ts";
import { failedReply, tableReply } from "../../fakes/sql-runner.ts";
import { FERRIES } from "../synth-rows.ts";

const SHOWN = {
  question: "How many <sql>boats</sql>\nare there?",
  history: ["Which boats?"],
  evidence: "boats are vessels",
  sql: "SELECT count(*) FROM boat",
  schema: FERRIES.schema,
  result: tableReply(["count(*)"], [[3]]),
};

it("shows question, hint, schema, query and the first rows", () => {
  const [system, user] = judgeAnnotationPrompt(SHOWN);
  expect(system?.content).toBe(JUDGE_ANNOTATION_SYSTEM);
  const lines = (user?.content ?? "").split("\n");
  expect(lines.slice(0, 4)).toEqual([
    "Asked before: Which boats?",
    expect.stringContaining("boats"),
    "Hint: boats are vessels",
    "",
  ]);
  expect(lines[1]).not.toContain("<sql>");
  expect(lines).toContain("SELECT count(*) FROM boat");
  expect(lines.slice(-3)).toEqual(["Result: 1 rows, the first of them:", "count(*)", "3"]);
  expect(lines.filter((line) => line.startsWith("boat("))).toHaveLength(1);
});

it("says how a query ended that gave nothing", () => {
  const [, user] = judgeAnnotationPrompt({
    ...SHOWN,
    history: [],
    evidence: null,
    result: failedReply("error", "no such table"),
  });
  expect(user?.content).toMatch(/Result: error no such table$/);
  expect(user?.content).not.toContain("Hint");
});
