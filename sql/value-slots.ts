import { pythonStrip, pythonWords } from "./python-text.ts";
import { firstStatementTokens } from "./test-suite-tokens.ts";

/** What stands for a value while a statement is taken apart; in lower case, as all words are in the end, a slot. */
const MARK = "VALUERARE";
const SLOT = "valuerare";

const FLOAT = /^[-+]?\p{Nd}*\.\p{Nd}+$/u;
const INTEGERS = /[^tT]\p{Nd}+/gu;
const ALIAS_AND_DOT = /[Tt]\p{Nd}+\./u;
const ALIAS_DOT_SPACE = /(T\p{Nd}+\.)\s/gu;
const STARS = ["t1.*", "t2.*", "t3.*", "T1.*", "T2.*", "T3.*"];

/** The words of a statement, in lower case, with a slot for each of its values, and those values. */
export interface SlottedStatement {
  readonly words: readonly string[];
  /** Distinct. */
  readonly values: readonly string[];
}

/**
 * Takes the values out of a statement as the official evaluation does for `plug_value`: texts in quotes, numbers with a
 * fraction, and what looks like an integer, among it any name of one character but `t` and digits. `null` for a text
 * without a statement.
 */
export function takeOutValues(sql: string): SlottedStatement | null {
  const spaced = spaceOut(sql);
  if (spaced === null) return null;
  const text = spaced.replaceAll(ALIAS_DOT_SPACE, "$1");
  const tokens = firstStatementTokens(text);
  if (tokens.length === 0) return null;
  const values = new Set<string>();
  let marked = text;
  for (const { kind, text: value } of tokens) {
    if (kind !== "quoted" || values.has(value)) continue;
    values.add(value);
    marked = marked.replaceAll(value, MARK);
  }
  const withoutFloats = markWords(pythonWords(marked), (word) => FLOAT.test(word), values);
  const integers = new Set(withoutFloats.join(" ").match(INTEGERS)?.map(pythonStrip));
  const words = markWords(withoutFloats, (word) => integers.has(word), values);
  return { words: words.flatMap(lowered), values: [...values] };
}

/** How many slots a statement has. */
export function countSlots({ words }: SlottedStatement): number {
  return words.filter((word) => word === SLOT).length;
}

/** Every way to fill the slots with values, with repetition; as many as values to the power of slots. */
export function* fillSlots(
  { words }: SlottedStatement,
  values: readonly string[],
): Generator<string, void, void> {
  const slots = words.flatMap((word, index) => (word === SLOT ? [index] : []));
  const filled = [...words];
  const choice = slots.map(() => 0);
  if (slots.length > 0 && values.length === 0) return;
  for (;;) {
    slots.forEach((place, index) => {
      filled[place] = values[choice[index] as number] as string;
    });
    yield filled.join(" ");
    let digit = slots.length - 1;
    while (digit >= 0 && choice[digit] === values.length - 1) choice[digit--] = 0;
    if (digit < 0) return;
    choice[digit] = (choice[digit] as number) + 1;
  }
}

/** The statement with one space between its tokens and its `;` gone; `null` where nothing is left. */
function spaceOut(sql: string): string | null {
  const tokens = firstStatementTokens(pythonStrip(sql).replaceAll(";", "").replaceAll("\t", ""));
  if (tokens.length === 0) return null;
  let text = tokens.flatMap((token) => (token.kind === "space" ? [] : [token.text])).join(" ");
  for (const star of STARS) text = text.replaceAll(star, "*");
  return text;
}

function markWords(
  words: readonly string[],
  isValue: (word: string) => boolean,
  values: Set<string>,
): string[] {
  return words.map((word) => {
    if (!isValue(word)) return word;
    values.add(word);
    return MARK;
  });
}

function lowered(word: string): string[] {
  if (!word.includes(".") || !ALIAS_AND_DOT.test(word)) return [word.toLowerCase()];
  return pythonWords(word.replaceAll(".", " . ")).map((part) => part.toLowerCase());
}
