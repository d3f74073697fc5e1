import { type Attempt, breaksProtocol, type ReplyText } from "./attempt.ts";
import { nextDraft, planNamedIn, symptomIn, type Seen, type Symptom } from "./drafting.ts";
import type { ChatText } from "./question-index.ts";

/** The fifth reply answers. */
const LAST_TURN = 4;

/**
 * The next reply of an episode in SQL-Trail's protocol, `transcript` being what followed the question. It
 * looks around first or tries a draft, reads what comes back, tries again after an error, an empty result
 * or at its own doubt, and answers by the fifth reply. An attempt that ends right ends in the gold; one
 * that does not answers with its last draft.
 *
 * Requests of one episode can have seeds of their own. So the first reply names its plan in its thought,
 * and every later one goes on with it: `take` gives the attempt of a draw.
 * @paper SQL-Trail, the interaction of reasoning, sql, observation and solution
 */
export function sqlTrailReply(
  take: (draw: number | string) => Attempt,
  draw: number | string,
  transcript: readonly ChatText[],
): ReplyText {
  const plan = planNamedIn(transcript) ?? take(draw).random("plan name").nextUint32().toString(36);
  const attempt = take(plan);
  const seen = seenIn(transcript);
  const isBroken = breaksProtocol(attempt, seen.turn);
  const step = nextDraft(attempt, seen, true);
  const reasoning = seen.turn === 0 ? `[plan ${plan}] ${step.reasoning}` : step.reasoning;
  return isBroken
    ? brokenTurn(attempt, seen.turn, reasoning, step.sql)
    : { text: turnText(reasoning, step.kind === "run" ? "sql" : "solution", step.sql), isEndless: false };
}

function seenIn(transcript: readonly ChatText[]): Seen {
  const replies = transcript.filter(({ role }) => role === "assistant");
  const observation = transcript.findLast(({ role }) => role !== "assistant")?.content ?? "";
  return {
    turn: replies.length,
    tried: replies.flatMap(({ content }) => sqlIn(content) ?? []),
    symptom: symptomOf(observation),
    isLast: replies.length >= LAST_TURN || LAST_REPLY.test(observation),
  };
}

/** What the last `<sql>` of a reply holds; its end may have been taken away as a stop string. */
function sqlIn(content: string): string | undefined {
  const open = content.lastIndexOf("<sql>");
  if (open === -1) return undefined;
  const close = content.indexOf("</sql>", open);
  const sql = content.slice(open + "<sql>".length, close === -1 ? undefined : close).trim();
  return sql === "" ? undefined : sql;
}

const LAST_REPLY = /\[1 reply left\b/;

function symptomOf(message: string): Symptom {
  const open = message.indexOf("<observation>");
  if (open === -1) return "none";
  const close = message.lastIndexOf("</observation>");
  return symptomIn(message.slice(open + "<observation>".length, close > open ? close : undefined));
}

function brokenTurn(attempt: Attempt, turn: number, reasoning: string, sql: string): ReplyText {
  const thought = `<reasoning>\n${reasoning}\n</reasoning>\n`;
  switch (attempt.random("break kind", turn).integer(4)) {
    case 0:
      return { text: `${thought}\`\`\`sql\n${sql}\n\`\`\``, isEndless: false };
    case 1:
      return { text: `${thought}<sql>\n${sql}`, isEndless: false };
    case 2: {
      const invented = "<observation>\n(as expected)\n</observation>";
      const text = `${turnText(reasoning, "sql", sql)}\n${invented}\n<solution>\n${sql}\n</solution>`;
      return { text, isEndless: false };
    }
    default:
      return { text: `<reasoning>\n${reasoning} Or is it meant otherwise? `, isEndless: true };
  }
}

function turnText(reasoning: string, tag: "sql" | "solution", sql: string): string {
  return `<reasoning>\n${reasoning}\n</reasoning>\n<${tag}>\n${sql}\n</${tag}>`;
}
