import { DESCRIBE_TABLE_SYSTEM, REPLY_KEYS } from "../prompts/describe-table.ts";
import type { ReplyText } from "./attempt.ts";
import type { ChatText } from "./question-index.ts";

/**
 * The reply to a prompt that asks for descriptions of a table: a thought, then a sentence that repeats each
 * column's name and says that it is simulated. `undefined` where the chat asks for something else.
 */
export function describeReply(messages: readonly ChatText[]): ReplyText | undefined {
  if (messages[0]?.content !== DESCRIBE_TABLE_SYSTEM) return undefined;
  const listing = messages[1]?.content ?? "";
  const keysAt = listing.lastIndexOf(`\n${REPLY_KEYS}`);
  if (keysAt === -1) return undefined;
  const keys = JSON.parse(listing.slice(keysAt + REPLY_KEYS.length + 1)) as readonly string[];
  const columns = Object.fromEntries(keys.map((name) => [name, `Simulated: the ${words(name)} of a row.`]));
  const object = { table: "Simulated: what the name says.", columns };
  const text = `<think>\nNames are all that I go by.\n</think>\n\n\`\`\`json\n${JSON.stringify(object)}\n\`\`\``;
  return { text, isEndless: false };
}

function words(name: string): string {
  return name.replaceAll("_", " ").toLowerCase();
}
