import { sha256 } from "../../core/key.ts";
import type { SeededRandom } from "../../core/random.ts";
import type { LinkedTable } from "../../core/trajectory.ts";
import { nameOf } from "../../sql/lexer.ts";
import { sameQuery } from "../same-query.ts";
import { type Attempt, wrongSql } from "./attempt.ts";
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

/** What a statement showed; `none` where nothing came back. */
export type Symptom = "error" | "empty" | "rows" | "none";

/** What an agent has done so far, as its transcript tells. */
export interface Seen {
  /** 0-based turn of the reply to come. */
  readonly turn: number;
  /** Statements run, the oldest first. */
  readonly tried: readonly string[];
  /** Of the last one. */
  readonly symptom: Symptom;
  /** Whether the next reply has to be the answer. */
  readonly isLast: boolean;
}

/** Runs a statement, or answers with it. */
export interface DraftStep {
  readonly kind: "run" | "answer";
  readonly sql: string;
  readonly reasoning: string;
}

interface Progress extends Omit<Seen, "tried"> {
  /** Queries tried, the exploring one left out. */
  readonly drafts: number;
  /** The last of them. */
  readonly lastDraft: string | null;
}

/**
 * What an agent does next that can run statements before it answers: looks around first where it `explores`,
 * drafts, tries again after an error, an empty result or at its own doubt, and answers. An attempt that ends
 * right answers with the gold; another one with its last draft.
 */
export function nextDraft(attempt: Attempt, seen: Seen, explores: boolean): DraftStep {
  const plan = planOf(attempt);
  const exploration = explores ? plan.exploration : null;
  const drafts = seen.tried.filter((sql) => exploration === null || !sameQuery(sql, exploration));
  const lastDraft = drafts.at(-1) ?? null;
  const progress: Progress = { ...seen, drafts: drafts.length, lastDraft };
  const random = attempt.random("turn", seen.turn);
  if (seen.turn === 0 && !seen.isLast && exploration !== null) {
    const reasoning = `${linkingText(attempt.gold, attempt)} ${pickFrom(LOOKS, random)}`;
    return { kind: "run", sql: exploration, reasoning };
  }
  if (lastDraft === null) {
    if (seen.isLast) return answer(attempt, progress, random);
    const sql = draftSql(attempt, plan.wrongDrafts, progress);
    return { kind: "run", sql, reasoning: `${linkingText(sql, attempt)} ${draftText(attempt, sql, random)}` };
  }
  const isRight = sameQuery(lastDraft, attempt.gold);
  const goesOn = attempt.right ? !isRight : !isRight && triesAgain(attempt, progress, plan.wrongDrafts);
  if (seen.isLast || !goesOn) return answer(attempt, progress, random);
  const sql = draftSql(attempt, plan.wrongDrafts, progress);
  const repair = pickFrom(REPAIRS[seen.symptom], random);
  return { kind: "run", sql, reasoning: `${repair} ${draftText(attempt, sql, random)}` };
}

/**
 * The plan that the first reply of a transcript names as `[plan …]`: later requests of its episode can have
 * other seeds. Of one whose thought was taken away, the digest of what is left; `null` before the first reply.
 */
export function planNamedIn(transcript: readonly ChatText[]): string | null {
  const first = transcript.find(({ role }) => role === "assistant");
  if (first === undefined) return null;
  return /\[plan ([0-9a-z]{1,7})\]/.exec(first.content)?.[1] ?? sha256(first.content);
}

const FAILURE =
  /error|no such|syntax|ambiguous|misuse|timed? ?out|too large|refused|denied|not allowed|failed/i;
const NOTHING = /\b(no rows?|0 rows|empty|no results?|nothing)\b/i;

/** What the result of a statement shows, as it was told to the agent: a table with its column names, or a failure. */
export function symptomIn(result: string): Symptom {
  const lines = result.split("\n").filter((line) => line.trim() !== "");
  if (FAILURE.test(lines[0] ?? "")) return "error";
  return lines.length <= 1 || (lines.length <= 3 && NOTHING.test(result)) ? "empty" : "rows";
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

function answer(attempt: Attempt, { lastDraft, symptom }: Progress, random: SeededRandom): DraftStep {
  const stands = lastDraft !== null && sameQuery(lastDraft, attempt.gold) === attempt.right;
  const fresh = attempt.right ? restyle(attempt.gold, attempt.random("style")) : wrongSql(attempt, 0);
  const reasoning = pickFrom(symptom === "rows" ? ENDS : DOUBTFUL_ENDS, random);
  return { kind: "answer", sql: stands ? lastDraft : fresh, reasoning };
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

/** Names the tables that a query reads, with the columns of them that it uses. */
export function linkingText(sql: string, attempt: Attempt): string {
  const tables = linkedNames(sql, attempt);
  if (tables.length === 0) return "No table of the listing fits exactly.";
  return `Relevant: ${tables.map(tableText).join("; ")}.`;
}

/** The tables that a query reads, with the columns of them that it uses. */
export function linkedNames(sql: string, attempt: Attempt): LinkedTable[] {
  const text = new TokenText(sql);
  const names = new Set(text.tokens.map(({ token }) => nameOf(token).toLowerCase()));
  return namedTables(text, attempt.schema).map((table) => ({
    table: table.name,
    columns: table.columns.map(({ name }) => name).filter((name) => names.has(name.toLowerCase())),
  }));
}

function tableText({ table, columns }: LinkedTable): string {
  return columns.length === 0 ? `table ${table}` : `table ${table} with ${columns.join(", ")}`;
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
const REPAIRS: Readonly<Record<Symptom, readonly string[]>> = {
  error: ["The query failed; I correct what the message names.", "That does not run, so I change it."],
  empty: [
    "Nothing came back, so a condition must be too strict.",
    "No rows: the value is written otherwise.",
  ],
  rows: ["The rows are not quite what is asked.", "On reading the question again, this needs a change."],
  none: ["I go on from the last query.", "Back to the form that is asked for."],
};
