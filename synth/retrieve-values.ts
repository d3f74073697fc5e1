import pMap from "p-map";
import { isReadable, type ColumnValues, type Database } from "../core/database.ts";
import type { DatabaseProfiler, ProfileOptions, ValueMatch } from "../core/database-profiler.ts";
import { SubstringFinder } from "./common-substring.ts";

/** Words of a query. What is one of another length is among the best of the next longer run around it. */
const RUN_LENGTHS = [1, 2, 3, 5, 8] as const;
/** Best matches of a query. */
const MATCHES = 10;
/** The share of a value that has to stand in the text in one piece: more than this. */
const MIN_COMMON = 0.85;
const MAX_VALUES = 20;
const MAX_VALUES_PER_COLUMN = 6;
/** A shorter value has to stand as whole words. */
const LONG_VALUE = 4;
/** A shorter word is no plural. */
const LONG_WORD = 4;
/** In UTF-16 units; what follows is not looked for. */
const MAX_TEXT_LENGTH = 4_000;
const MAX_QUERIES = 400;
const SEARCHES_AT_ONCE = 8;

/** English words that Lucene's standard analysis leaves out. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be but by for if in into is it no not of on or such that the their then there these they
  this to was will with`.split(/\s+/),
);

/** A question, what has to be known for it, and the database that it is asked of. */
export interface ValueRequest {
  readonly question: string;
  readonly evidence: string | null;
  readonly database: Database;
}

/** Where values are searched. */
export interface ValueSearch {
  readonly profiler: DatabaseProfiler;
  readonly profileOptions: ProfileOptions;
}

/**
 * The values of a database that a question and its evidence mention, by column: columns and values both in the
 * order of the best match, at most 20 values in all and 6 of a column. None for an unreadable database.
 *
 * As OmniSQL publishes it: runs of up to eight words are searched for by BM25, and so is the whole text, ten
 * matches each; a match stays where more than 85 % of it stands in the text in one piece, without case; those with
 * the larger share come first. What differs, and why:
 * - Runs have one, two, three, five or eight words: the other lengths find no more and cost as much again.
 * - Words without meaning (`the`, `of`) are not searched for, and no value is made of them alone. Runs that are then
 *   equal are searched for once, at most 400 of them, the shorter first; the text is cut at 4,000 characters.
 * - In place of a stemmer, a word that looks like an English plural is also searched for in its singular: `gulls`
 *   finds `Gull`.
 * - The common part has to begin a word of the text; a value of fewer than four characters has to be whole words of
 *   it: `art` is not found in `party`.
 * - Equal shares are ordered by the longer value, then by the schema, then by text.
 *
 * A search costs what its most frequent words cost: tens of milliseconds a question where a database has some ten
 * thousand texts, seconds where hundreds of thousands share its words. The longest common part is found in time
 * linear in the value. Throws what the profiler throws.
 * @paper OmniSQL, value retrieval
 */
export async function retrieveValues(
  { question, evidence, database }: ValueRequest,
  { profiler, profileOptions }: ValueSearch,
): Promise<ColumnValues[]> {
  if (!isReadable(database)) return [];
  const text = plainText(`${evidence ?? ""}\n${question}`.slice(0, MAX_TEXT_LENGTH));
  const replies = await pMap(
    queriesOf(text),
    (query) => profiler.search({ ...BEST, text: query, database, options: profileOptions }),
    { concurrency: SEARCHES_AT_ONCE },
  );
  const rank = placesOf(database);
  const mentioned = new Map<string, Mention>();
  const isMentioned = mentionsIn(text);
  for (const match of replies.flatMap(({ values }) => values)) {
    const key = JSON.stringify([match.table, match.column, match.value]);
    if (mentioned.has(key)) continue;
    const share = isMentioned(match.value);
    if (share > MIN_COMMON) mentioned.set(key, { match, share, place: rank(match) });
  }
  return byColumn([...mentioned.values()].sort(compareMentions));
}

const BEST = { matcher: "words", maxNames: 0, maxValues: MATCHES, maxValuesPerColumn: MATCHES } as const;

/** A value that the text mentions. */
interface Mention {
  readonly match: ValueMatch;
  /** The part of the value that stands in the text. */
  readonly share: number;
  /** Of its column in the schema. */
  readonly place: number;
}

/** All words that mean something, single ones with their singulars, then runs of them, the shorter first. */
function queriesOf(text: string): string[] {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  const queries = new Set([meaningOf(words)]);
  for (const length of RUN_LENGTHS) {
    for (let start = 0; start + length <= words.length; start += 1) {
      const run = meaningOf(words.slice(start, start + length));
      queries.add(run);
      if (length === 1) queries.add(singularOf(run));
    }
  }
  return [...queries].filter((query) => query !== "").slice(0, MAX_QUERIES);
}

/** By the rules of Harman's S stemmer. */
function singularOf(word: string): string {
  if (word.length < LONG_WORD || /(?:[ae]ies|[aeo]es|[us]s)$/.test(word)) return word;
  return word.replace(/ies$/, "y").replace(/s$/, "");
}

function meaningOf(words: readonly string[]): string {
  return words.filter((word) => !STOP_WORDS.has(word)).join(" ");
}

/** Gives the share of a value that stands in the text in one piece, from the start of a word; 0 for none such. */
function mentionsIn(text: string): (value: string) => number {
  const finder = new SubstringFinder(text);
  return (given) => {
    const value = plainText(given);
    if (meaningOf(value.match(/[\p{L}\p{N}]+/gu) ?? []) === "") return 0;
    const { start, length } = finder.longestIn(value);
    const isShort = value.length < LONG_VALUE;
    const common = value.slice(start, start + length).trim();
    return common !== "" && standsIn(text, common, isShort) ? length / value.length : 0;
  };
}

/** Whether `part` begins a word of the text, and for `isWhole` also ends one. */
function standsIn(text: string, part: string, isWhole: boolean): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const end = at + part.length;
    if (!isInWord(text, at) && (!isWhole || !isInWord(text, end))) return true;
  }
  return false;
}

/** Whether a word goes on across a place; scripts that write no spaces have no such words. */
function isInWord(text: string, place: number): boolean {
  return SPACED_WORD.test(text.charAt(place - 1)) && SPACED_WORD.test(text.charAt(place));
}

const SPACED_WORD = /[\p{N}\p{Lu}\p{Ll}\p{Lt}\p{Lm}]/u;

/** Without case, and with one space for white space. */
function plainText(text: string): string {
  return text.normalize("NFC").toLowerCase().replace(/\s+/g, " ").trim();
}

function placesOf({ schema }: Database): (match: ValueMatch) => number {
  const places = new Map<string, number>();
  for (const { name, columns } of schema.tables) {
    for (const column of columns) places.set(placeKey(name, column.name), places.size);
  }
  return ({ table, column }) => places.get(placeKey(table, column)) ?? places.size;
}

function placeKey(table: string, column: string): string {
  return JSON.stringify([table.toLowerCase(), column.toLowerCase()]);
}

function compareMentions(left: Mention, right: Mention): number {
  const byShare = right.share - left.share || right.match.value.length - left.match.value.length;
  const byPlace = byShare || left.place - right.place;
  if (byPlace !== 0 || left.match.value === right.match.value) return byPlace;
  return left.match.value < right.match.value ? -1 : 1;
}

function byColumn(mentions: readonly Mention[]): ColumnValues[] {
  const columns = new Map<string, ColumnValues>();
  let taken = 0;
  for (const { match } of mentions) {
    if (taken === MAX_VALUES) break;
    const { table, column, value } = match;
    const key = placeKey(table, column);
    const known = columns.get(key) ?? { table, column, values: [] };
    if (known.values.length === MAX_VALUES_PER_COLUMN) continue;
    known.values.push(value);
    columns.set(key, known);
    taken += 1;
  }
  return [...columns.values()];
}
