import { answerText } from "../answer-text.ts";
import { type Attempt, breaksProtocol, type ReplyText, wrongSql } from "./attempt.ts";
import { restyle, thoughtFor } from "./reply.ts";

const REFUSALS: readonly string[] = [
  "I cannot tell from these tables.",
  "The listing does not say which column holds this.",
  "More than one reading is possible, so I give no query.",
];

/**
 * The reply to a prompt that asks for a thought and one fenced block: the query restyled or with its
 * mistakes. A broken one refuses, leaves the block open, gives two blocks, or thinks without end.
 */
export function singleTurnReply(attempt: Attempt): ReplyText {
  const random = attempt.random("style");
  const sql = attempt.right ? restyle(attempt.gold, random) : wrongSql(attempt, 0);
  const thought = thoughtFor(sql, attempt.schema, random);
  const whole = `<think>\n${thought}\n</think>\n\n`;
  if (!breaksProtocol(attempt, 0)) return finite(`${whole}${answerText(sql)}`);
  switch (attempt.random("break kind").integer(4)) {
    case 0:
      return finite(`${whole}${random.pick(REFUSALS) ?? ""}`);
    case 1:
      return finite(`${whole}\`\`\`sql\n${sql}\n`);
    case 2:
      return finite(`${whole}${answerText(sql)}\n\nOr rather:\n\n${answerText(wrongSql(attempt, 1))}`);
    default:
      return { text: `<think>\n${thought} But is that what is asked? `, isEndless: true };
  }
}

function finite(text: string): ReplyText {
  return { text, isEndless: false };
}
