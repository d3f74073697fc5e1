import type { DatabaseSchema } from "../../core/database.ts";
import type { SeededRandom } from "../../core/random.ts";
import type { Message } from "../../core/trajectory.ts";
import { answerText } from "../answer-text.ts";
import { namedTables } from "./name-mutations.ts";
import { TokenText } from "./token-text.ts";

const RESTYLED_WORDS: ReadonlySet<string> = new Set(
  `select distinct from join inner left outer on as where and or not in like between is null group by having order
  asc desc limit union all intersect except case when then else end count sum avg min max cast`.split(/\s+/),
);

/** The same query in another hand: keywords in upper or lower case, with or without a closing semicolon. */
export function restyle(sql: string, random: SeededRandom): string {
  const style = random.integer(3);
  const bare = sql.trim().replace(/(\s*;)+$/, "");
  const ending = random.integer(3) === 0 ? ";" : "";
  if (style === 0) return `${bare}${ending}`;
  const text = new TokenText(bare);
  let styled = "";
  let at = 0;
  for (const { token, word } of text.tokens) {
    const isKeyword = token.kind === "word" && RESTYLED_WORDS.has(word);
    const shown = style === 1 ? word.toUpperCase() : word;
    styled += bare.slice(at, token.start) + (isKeyword ? shown : token.text);
    at = token.end;
  }
  return `${styled}${bare.slice(at)}${ending}`;
}

/** A short thought that leads to a query: what it reads, keeps, counts and sorts. */
export function thoughtFor(sql: string, schema: DatabaseSchema, random: SeededRandom): string {
  const text = new TokenText(sql);
  const tables = namedTables(text, schema).map(({ name }) => name);
  const sentences = [sourceSentence(tables, random)];
  if (text.words("where").length > 0) {
    sentences.push(random.pick(["Only some of the rows count.", "The rows have to meet a condition."]) ?? "");
  }
  if (text.words("group").length > 0) sentences.push("The rows are put into groups first.");
  if (text.words("count", "sum", "avg", "min", "max").length > 0) {
    sentences.push(random.pick(["A figure has to be computed.", "The answer needs an aggregate."]) ?? "");
  }
  if (text.words("limit").length > 0) sentences.push("Sorted, only the first rows are wanted.");
  else if (text.words("order").length > 0) sentences.push("The result is to be sorted.");
  if (text.words("union", "intersect", "except").length > 0) {
    sentences.push("Two results have to be put together.");
  }
  return sentences.join(" ");
}

function sourceSentence(tables: readonly string[], random: SeededRandom): string {
  const [first, ...others] = tables;
  if (first === undefined) return "The query needs no table of the list.";
  if (others.length === 0) {
    return random.pick([`All that is asked for is in ${first}.`, `The table to read is ${first}.`]) ?? "";
  }
  return `What is asked for lies in ${others.join(", ")} and ${first}, which belong together.`;
}

/** The one message of a simulated reply: the thought, if any, then the fenced query, if any. */
export function replyMessage(sql: string | null, thought: string | null): Message {
  const content = sql === null ? "I cannot tell from these tables." : answerText(sql);
  return {
    role: "assistant",
    origin: "sampled",
    rawText: thought === null ? content : `<think>\n${thought}\n</think>\n\n${content}`,
    rawExact: false,
    reasoning: thought,
    content,
    toolCalls: [],
    toolCallId: null,
    train: sql !== null,
    weight: sql === null ? 0 : 1,
    trainReason: sql === null ? "no_answer" : "answer",
  };
}
