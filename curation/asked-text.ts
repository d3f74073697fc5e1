import type { Example } from "../core/example.ts";
import { wordStem } from "../sql/name-words.ts";
import { editDistance, foldText } from "./near-text.ts";

/** What a person asked, as checks read it; in lower case, typographic quotes made plain, where no other is said. */
export interface AskedText {
  /** The question by itself: what it asks for. */
  readonly question: string;
  readonly evidence: string;
  /** The question with its evidence and the earlier questions of its dialogue: what a gold may take up. */
  readonly said: string;
  /** Stems of all words of what is said. */
  readonly stems: ReadonlySet<string>;
  /** Numbers of the question, number words among them. */
  readonly numbers: readonly number[];
  /** Numbers of what is said, ordinals among them. */
  readonly allNumbers: ReadonlySet<number>;
  /** Texts in quotation marks of the question, as written. */
  readonly quoted: readonly string[];
}

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
    .split(" ")
    .map((word, value) => [word, value] as const),
);
const ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split(" ");
const TENS: ReadonlyMap<string, number> = new Map([
  ["thirty", 30],
  ["forty", 40],
  ["fifty", 50],
  ["sixty", 60],
  ["seventy", 70],
  ["eighty", 80],
  ["ninety", 90],
  ["hundred", 100],
  ["thousand", 1000],
  ["million", 1_000_000],
]);

/** The numbers that ordinal words stand for. */
function ordinalsIn(text: string): number[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .flatMap((word) => (ORDINALS.includes(word) ? [ORDINALS.indexOf(word) + 1] : []));
}

const KNOWN = new WeakMap<Example, AskedText>();

/** Reads what an example asks for; remembered. */
export function askedText(example: Example): AskedText {
  const known = KNOWN.get(example);
  if (known !== undefined) return known;
  const question = plain(example.question);
  const evidence = plain(example.evidence ?? "");
  const earlier = example.history.map((turn) => plain(turn.question));
  const said = [...earlier, question, evidence].join(" ");
  const asked: AskedText = {
    question: question.toLowerCase(),
    evidence: evidence.toLowerCase(),
    said: said.toLowerCase(),
    stems: new Set(stemsOf(said)),
    numbers: numbersIn(question),
    allNumbers: new Set([...numbersIn(said), ...ordinalsIn(said)]),
    quoted: quotedTexts(question),
  };
  KNOWN.set(example, asked);
  return asked;
}

function plain(text: string): string {
  return text.replace(/[‘’`]/g, "'").replace(/[“”]/g, '"');
}

/** The stems of a text's words, in order. */
export function stemsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map((word) => (word === "ids" ? "id" : wordStem(word)));
}

/** Numbers in a text: digits with separators, and number words. */
export function numbersIn(text: string): number[] {
  const found: number[] = [];
  for (const match of text.toLowerCase().matchAll(/\d[\d,]*(?:\.\d+)?|\p{L}+/gu)) {
    const word = match[0];
    const value = /^\d/.test(word)
      ? Number(word.replaceAll(",", ""))
      : (NUMBER_WORDS.get(word) ?? TENS.get(word));
    if (value !== undefined && Number.isFinite(value)) found.push(value);
  }
  return found;
}

function quotedTexts(text: string): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(
    /"([^"]{1,120})"|(?<![\p{L}\p{N}])'((?:[^']|'(?=\p{L})){1,120})'(?![\p{L}\p{N}])/gu,
  )) {
    const inside = (match[1] ?? match[2] ?? "").trim();
    if (inside !== "") found.push(inside);
  }
  return found;
}

/** Whether a text has one of some words or phrases as whole words. */
export function hasPhrase(text: string, phrases: readonly string[]): boolean {
  return phrases.some((phrase) =>
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${phrase})(?![\\p{L}\\p{N}])`, "u").test(text),
  );
}

/**
 * Whether question or evidence speak of a value. Codes, dates and numbers in texts are mostly said in other words: those
 * are let pass.
 */
export function isSpokenOf(value: string, { said, stems }: AskedText): boolean {
  const text = foldText(said);
  const words = stemsOf(value).filter((word) => word.length > 3 && !/\d/.test(word));
  if (words.length === 0 || value.toLowerCase() === "null" || text.includes(foldText(value))) return true;
  return words.some((word) => isSaid(word, stems));
}

function isSaid(word: string, stems: ReadonlySet<string>): boolean {
  if (stems.has(word)) return true;
  const root = word.slice(0, Math.max(4, word.length - 3));
  for (const stem of stems) {
    if (stem.startsWith(root) || (stem.length > 3 && word.startsWith(stem))) return true;
    if (Math.abs(stem.length - word.length) < 2 && word.length > 4 && editDistance(stem, word) < 2)
      return true;
  }
  return false;
}
