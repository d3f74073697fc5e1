import type { Example } from "../core/example.ts";
import { wordStem } from "../sql/name-words.ts";

/** What a person asked, as checks read it. */
export interface AskedText {
  /** The question and the earlier ones of its dialogue, in lower case, typographic quotes made plain. */
  readonly question: string;
  readonly evidence: string;
  /** Stems of all words of question and evidence. */
  readonly stems: ReadonlySet<string>;
  /** Numbers of the question, number words among them. */
  readonly numbers: readonly number[];
  /** Numbers of question and evidence. */
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
  const written = plain([...example.history.map((turn) => turn.question), example.question].join(" "));
  const evidence = plain(example.evidence ?? "");
  const asked: AskedText = {
    question: written.toLowerCase(),
    evidence: evidence.toLowerCase(),
    stems: new Set(stemsOf(`${written} ${evidence}`)),
    numbers: numbersIn(written),
    allNumbers: new Set([...numbersIn(`${written} ${evidence}`), ...ordinalsIn(written)]),
    quoted: quotedTexts(written),
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
  for (const match of text.matchAll(/"([^"]{1,120})"|(?<![\p{L}\p{N}])'([^']{1,120})'(?![\p{L}\p{N}])/gu)) {
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
