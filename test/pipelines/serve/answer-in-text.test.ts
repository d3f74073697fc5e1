import { expect, it } from "vitest";
import { answerInText } from "../../../pipelines/serve/answer-in-text.ts";

it.each([
  ["<solution>SELECT 1</solution>", "SELECT 1"],
  ["<sql>SELECT 0</sql>\n<observation>| 1 |</observation>\n<solution>SELECT 1</solution>", "SELECT 1"],
  ["<think>```sql\nSELECT 0\n```</think>\n```sql\nSELECT 1\n```", "SELECT 1"],
  ["<final_answer>\n```sql\nSELECT 1\n```\n</final_answer>", "SELECT 1"],
  ["<final_answer>SELECT 0</final_answer> no: <final_answer> SELECT 1 </final_answer>", "SELECT 1"],
  ["<final_answer> </final_answer>", null],
  ["<final_answer>SELECT 1", null],
  ["nothing", null],
  ["", null],
])("%j ends with %j", (text, sql) => {
  expect(answerInText(text)).toBe(sql);
});
