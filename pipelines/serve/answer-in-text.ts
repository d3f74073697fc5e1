import { parseAnswer } from "../../synth/answer-text.ts";

const OPEN = "<final_answer>";
const CLOSE = "</final_answer>";

/**
 * The query that a text ends with, `null` where there is none: what the last `<final_answer>`, else the last `<solution>`
 * or `<answer>`, else the last block fenced as SQL holds. The last one, since a trainer's text can hold the whole
 * episode, results of tools included.
 */
export function answerInText(text: string): string | null {
  const close = text.lastIndexOf(CLOSE);
  const open = close < 0 ? -1 : text.lastIndexOf(OPEN, close);
  if (open < 0) return parseAnswer(text).sql;
  const inner = text.slice(open + OPEN.length, close);
  const sql = parseAnswer(inner).sql ?? inner.trim();
  return sql === "" ? null : sql;
}
