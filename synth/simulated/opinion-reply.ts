import { JUDGE_ANNOTATION_SYSTEM } from "../prompts/judge-annotation.ts";
import type { ReplyText } from "./attempt.ts";
import type { ChatText } from "./question-index.ts";

/**
 * The reply to a prompt that asks for an opinion of an annotation: wrong where its query gives no rows or fails, right
 * otherwise. `undefined` where the chat asks for something else.
 */
export function opinionReply(messages: readonly ChatText[]): ReplyText | undefined {
  if (messages[0]?.content !== JUDGE_ANNOTATION_SYSTEM) return undefined;
  const [result = ""] = /^Result: .*$/m.exec(messages[1]?.content ?? "") ?? [];
  const verdict = /^Result: \d+ rows/.test(result) ? "right" : "wrong";
  const reason = `Simulated: I only look at the result. ${result}`;
  return { text: JSON.stringify({ verdict, reason }), isEndless: false };
}
