import type { TableSchema } from "../../core/database.ts";
import { sha256 } from "../../core/key.ts";
import type { SeededRandom } from "../../core/random.ts";
import { nameOf } from "../../sql/lexer.ts";
import { type Attempt, breaksProtocol, type ReplyText, sameQuery, wrongSql } from "./attempt.ts";
import { namedTables } from "./name-mutations.ts";
import type { Hardness } from "./policy.ts";
import type { ChatText } from "./question-index.ts";
import { restyle, thoughtFor } from "./reply.ts";
import { TokenText } from "./token-text.ts";

/** How often a first draft goes wrong in a model of competence 0.4. */
const SLIPS: Readonly<Record<Hardness, number>> = {
  easy: 0.1,
  medium: 0.3,
  hard: 0.5,
  extra: 0.7,
  unknown: 0.4,
};
const MOST_DRAFTS = 3;
/** The fifth reply answers. */
const LAST_TURN = 4;

/** What the agent has done so far, as its transcript tells. */
interface Progress {
  /** 0-based turn of the reply to come. */
  readonly turn: number;
  /** Queries tried, the exploring one left out. */
  readonly drafts: number;
  /** The last of them. */
  readonly lastDraft: string | null;
  readonly symptom: "error" | "empty" | "rows" | "none";
  /** Whether the next reply has to be the answer. */
  readonly isLast: boolean;
}

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
  const progress = progressOf(attempt, transcript);
  const isBroken = breaksProtocol(attempt, progress.turn);
  const step = nextStep(attempt, progress);
  const reasoning = progress.turn === 0 ? `[plan ${plan}] ${step.reasoning}` : step.reasoning;
  return isBroken
    ? brokenTurn(attempt, progress.turn, reasoning, step.sql)
    : { text: turnText(reasoning, step.tag, step.sql), isEndless: false };
}

/** The plan that the first reply names; of one whose thought was taken away, the digest of what is left. */
function planNamedIn(transcript: readonly ChatText[]): string | null {
  const first = transcript.find(({ role }) => role === "assistant");
  if (first === undefined) return null;
  return /\[plan ([0-9a-z]{1,7})\]/.exec(first.content)?.[1] ?? sha256(first.content);
}

interface Step {
  readonly tag: "sql" | "solution";
  readonly sql: string;
  readonly reasoning: string;
}

function nextStep(attempt: Attempt, progress: Progress): Step {
  const { turn, lastDraft, isLast } = progress;
  const random = attempt.random("turn", turn);
  const plan = planOf(attempt);
  if (turn === 0 && !isLast && plan.exploration !== null) {
    const reasoning = `${linkingText(attempt.gold, attempt)} ${pickFrom(LOOKS, random)}`;
    return { tag: "sql", sql: plan.exploration, reasoning };
  }
  if (lastDraft === null) {
    if (isLast) return answer(attempt, progress, random);
    const sql = draftSql(attempt, plan.wrongDrafts, progress);
    return { tag: "sql", sql, reasoning: `${linkingText(sql, attempt)} ${draftText(attempt, sql, random)}` };
  }
  const isRight = sameQuery(lastDraft, attempt.gold);
  const goesOn = attempt.right ? !isRight : !isRight && triesAgain(attempt, progress, plan.wrongDrafts);
  if (isLast || !goesOn) return answer(attempt, progress, random);
  const sql = draftSql(attempt, plan.wrongDrafts, progress);
  const seen = pickFrom(REPAIRS[progress.symptom], random);
  return { tag: "sql", sql, reasoning: `${seen} ${draftText(attempt, sql, random)}` };
}

/** The next draft: the gold once the wrong ones are used up, where the attempt ends right; never the last again. */
function draftSql(attempt: Attempt, wrongDrafts: number, { drafts, lastDraft }: Progress): string {
  if (attempt.right && drafts >= wrongDrafts) return restyle(attempt.gold, attempt.random("style"));
  const candidates = [drafts, drafts + MOST_DRAFTS, drafts + 2 * MOST_DRAFTS].map((draft) =>
    wrongSql(attempt, draft),
  );
  return (
    candidates.find((sql) => lastDraft === null || !sameQuery(sql, lastDraft)) ?? wrongSql(attempt, drafts)
  );
}

/** Whether an attempt that ends wrong changes its last draft once more. */
function triesAgain(attempt: Attempt, { drafts, symptom }: Progress, wrongDrafts: number): boolean {
  if (drafts >= MOST_DRAFTS) return false;
  if (symptom === "rows") return drafts < wrongDrafts;
  return attempt.random("repair", drafts).next() < 1 - slipChance(attempt);
}

function answer(attempt: Attempt, { lastDraft, symptom }: Progress, random: SeededRandom): Step {
  const stands = lastDraft !== null && sameQuery(lastDraft, attempt.gold) === attempt.right;
  const fresh = attempt.right ? restyle(attempt.gold, attempt.random("style")) : wrongSql(attempt, 0);
  const reasoning = pickFrom(symptom === "rows" ? ENDS : DOUBTFUL_ENDS, random);
  return { tag: "solution", sql: stands ? lastDraft : fresh, reasoning };
}

/** How the attempt goes: an exploring query first or not, and how many drafts go wrong. */
function planOf(attempt: Attempt): { exploration: string | null; wrongDrafts: number } {
  const random = attempt.random("plan");
  const slip = slipChance(attempt);
  const explores = random.next() < slip * 0.6;
  const first = random.next() < slip;
  const second = random.next() < slip * 0.5;
  const wrongDrafts = (first ? 1 : 0) + (first && second ? 1 : 0);
  return {
    exploration: explores ? explorationOf(attempt) : null,
    wrongDrafts: attempt.right ? wrongDrafts : 1 + wrongDrafts,
  };
}

function slipChance({ hardness, competence }: Attempt): number {
  return Math.min(0.9, SLIPS[hardness] * (1.4 - competence));
}

/** A look at the values of a column that the gold's tables have. */
function explorationOf(attempt: Attempt): string | null {
  const random = attempt.random("exploration");
  const table = random.pick(namedTables(new TokenText(attempt.gold), attempt.schema));
  const column = random.pick(table?.columns ?? []);
  if (table === undefined || column === undefined) return null;
  return `SELECT DISTINCT ${quoted(column.name)} FROM ${quoted(table.name)} LIMIT 5`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function progressOf(attempt: Attempt, transcript: readonly ChatText[]): Progress {
  const { exploration } = planOf(attempt);
  const replies = transcript.filter(({ role }) => role === "assistant");
  const tried = replies.flatMap(({ content }) => sqlIn(content) ?? []);
  const drafts = tried.filter((sql) => exploration === null || !sameQuery(sql, exploration));
  const observation = transcript.findLast(({ role }) => role !== "assistant")?.content ?? "";
  return {
    turn: replies.length,
    drafts: drafts.length,
    lastDraft: drafts.at(-1) ?? null,
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

const FAILURE =
  /error|no such|syntax|ambiguous|misuse|timed? ?out|too large|refused|denied|not allowed|failed/i;
const LAST_REPLY = /\[1 reply left\b/;
const NOTHING = /\b(no rows?|0 rows|empty|no results?|nothing)\b/i;

function symptomOf(message: string): Progress["symptom"] {
  const open = message.indexOf("<observation>");
  if (open === -1) return "none";
  const close = message.lastIndexOf("</observation>");
  const inner = message.slice(open + "<observation>".length, close > open ? close : undefined);
  const lines = inner.split("\n").filter((line) => line.trim() !== "");
  if (FAILURE.test(lines[0] ?? "")) return "error";
  return lines.length <= 1 || (lines.length <= 3 && NOTHING.test(inner)) ? "empty" : "rows";
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

/** Names the tables that a query reads, with the columns of them that it uses. */
function linkingText(sql: string, attempt: Attempt): string {
  const text = new TokenText(sql);
  const tables = namedTables(text, attempt.schema);
  if (tables.length === 0) return "No table of the listing fits exactly.";
  const names = new Set(text.tokens.map(({ token }) => nameOf(token).toLowerCase()));
  return `Relevant: ${tables.map((table) => tableText(table, names)).join("; ")}.`;
}

function tableText(table: TableSchema, names: ReadonlySet<string>): string {
  const columns = table.columns.filter(({ name }) => names.has(name.toLowerCase()));
  return columns.length === 0
    ? `table ${table.name}`
    : `table ${table.name} with ${columns.map(({ name }) => name).join(", ")}`;
}

function draftText(attempt: Attempt, sql: string, random: SeededRandom): string {
  return `${thoughtFor(sql, attempt.schema, random)} ${pickFrom(TRIES, random)}`;
}

function pickFrom(sentences: readonly string[], random: SeededRandom): string {
  return random.pick(sentences) ?? "";
}

const LOOKS: readonly string[] = [
  "First I look at how the values are written.",
  "Before a draft I want to see what the column holds.",
  "A quick look at the data first.",
];
const TRIES: readonly string[] = [
  "I run this and look at the rows.",
  "Let me see what this gives.",
  "This should select just what is asked.",
  "I try it.",
];
const ENDS: readonly string[] = [
  "The result has the columns asked for, so this is my answer.",
  "That answers the question.",
  "I keep this query.",
];
const DOUBTFUL_ENDS: readonly string[] = [
  "I see no better query, so this is my answer.",
  "I leave it at this one.",
];
const REPAIRS: Readonly<Record<Progress["symptom"], readonly string[]>> = {
  error: ["The query failed; I correct what the message names.", "That does not run, so I change it."],
  empty: [
    "Nothing came back, so a condition must be too strict.",
    "No rows: the value is written otherwise.",
  ],
  rows: ["The rows are not quite what is asked.", "On reading the question again, this needs a change."],
  none: ["I go on from the last query.", "Back to the form that is asked for."],
};
