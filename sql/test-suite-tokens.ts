import { isPythonBlank, PYTHON_WHITE_SPACE } from "./python-text.ts";

/**
 * What a piece of SQL is for the official test-suite evaluation: `space` is one white space character but a line
 * break, `quoted` a text in single or double quotes.
 */
export type TestSuiteTokenKind = "comment" | "newline" | "space" | "quoted" | "word" | "other";

/** The texts of all tokens joined are the statement. */
export interface TestSuiteToken {
  readonly kind: TestSuiteTokenKind;
  readonly text: string;
}

const LETTER = "A-Za-z\\u00c0-\\u00dc\\u00e0-\\u00fc";
const WORD_PART = "\\p{L}\\p{N}_";
const WORD_END = `(?![${WORD_PART}])`;
const NO_LETTER = `(?![_${LETTER}])`;

interface Rule {
  readonly kind: TestSuiteTokenKind;
  readonly pattern: RegExp;
}

function rule(kind: TestSuiteTokenKind, pattern: string): Rule {
  return { kind, pattern: new RegExp(pattern, "yiu") };
}

/** Before quoted names, then after them; in each list the first that fits wins. Every pattern is linear. */
const FIRST_RULES: readonly Rule[] = [
  rule("comment", "(?:--|# )[^\\r\\n]*(?:\\r\\n|\\r|\\n|$)"),
  rule("newline", "\\r\\n|\\r|\\n"),
  rule("space", `[${PYTHON_WHITE_SPACE}]`),
  rule("other", ":=|::|\\*"),
];
const MIDDLE_RULES: readonly Rule[] = [
  rule(
    "other",
    `\\?|%(?:\\([${WORD_PART}]+\\))?s|(?<![${WORD_PART}])[$:?][${WORD_PART}]+|\\\\[${WORD_PART}]+`,
  ),
  rule("word", `(?:CASE|IN|VALUES|USING|FROM|AS)${WORD_END}`),
  rule("other", `(?:@|##|#)[${LETTER}][${WORD_PART}]+`),
  rule("other", `[${LETTER}][${WORD_PART}]*(?=[${PYTHON_WHITE_SPACE}]*\\.)`),
  rule("other", `(?<=\\.)[${LETTER}][${WORD_PART}]*`),
  rule("other", `[${LETTER}][${WORD_PART}]*(?=\\()`),
  rule("other", "-?0x[\\dA-F]+"),
  rule("other", "-?\\p{Nd}+(?:\\.\\p{Nd}+)?E-?\\p{Nd}+"),
  rule("other", `${NO_LETTER}-?(?:\\p{Nd}+\\.\\p{Nd}*|\\.\\p{Nd}+)${NO_LETTER}`),
  rule("other", `${NO_LETTER}-?\\p{Nd}+${NO_LETTER}`),
];
const LAST_RULES: readonly Rule[] = [
  rule("other", `(?<![${WORD_PART}\\])])\\[[^\\][]+\\]`),
  rule("word", `[0-9_${LETTER}][_$#${WORD_PART}]*`),
  rule("other", "[;:()[\\],.]|[<>=~!]+|[+/@#%^&|\\-]+"),
];

/**
 * Cuts a text the way the official test-suite evaluation does, which is not how SQLite does: a backslash escapes a
 * quote inside quotes where the text can be closed then, `# ` begins a comment, and white space comes one character at
 * a time. Never throws, and takes time linear in the text.
 */
export function testSuiteTokens(sql: string): TestSuiteToken[] {
  const quotes = new QuoteEnds(sql);
  const tokens: TestSuiteToken[] = [];
  let comments = true;
  let start = 0;
  while (start < sql.length) {
    let token: TestSuiteToken | undefined;
    if (comments && sql.startsWith("/*", start)) {
      const close = sql.indexOf("*/", start + 2);
      comments = close !== -1;
      if (comments) token = { kind: "comment", text: sql.slice(start, close + 2) };
    }
    token ??= firstMatch(FIRST_RULES, sql, start) ??
      quotes.nameAt(start) ??
      firstMatch(MIDDLE_RULES, sql, start) ??
      quotes.literalAt(start) ??
      firstMatch(LAST_RULES, sql, start) ?? {
        kind: "other",
        text: String.fromCodePoint(sql.codePointAt(start) as number),
      };
    tokens.push(token);
    start += token.text.length;
  }
  return tokens;
}

/**
 * The tokens of the first statement of a text, its `;` and the white space and line comments behind it included; none
 * for a blank text. A `;` inside parentheses ends nothing, but every END closes one.
 */
export function firstStatementTokens(sql: string): TestSuiteToken[] {
  if (isPythonBlank(sql)) return [];
  const statement: TestSuiteToken[] = [];
  let depth = 0;
  let ended = false;
  for (const token of testSuiteTokens(sql)) {
    const { kind, text } = token;
    if (ended && kind !== "space" && !isLineComment(token)) break;
    if (kind === "other" && text === "(") depth += 1;
    else if (kind === "other" && text === ")") depth -= 1;
    else if (kind === "word" && text.toLowerCase() === "end") depth -= 1;
    statement.push(token);
    if (depth <= 0 && text === ";") ended = true;
  }
  return statement;
}

function isLineComment({ kind, text }: TestSuiteToken): boolean {
  return kind === "comment" && !text.startsWith("/*") && !/^(?:--|# )\+/.test(text);
}

function firstMatch(rules: readonly Rule[], sql: string, start: number): TestSuiteToken | undefined {
  for (const { kind, pattern } of rules) {
    pattern.lastIndex = start;
    const match = pattern.exec(sql);
    if (match !== null) return { kind, text: match[0] };
  }
  return undefined;
}

const NAME_QUOTES = "`´";
const LITERAL_QUOTES = "'\"";

/** Where quoted texts end, worked out once for each kind of quote. */
class QuoteEnds {
  readonly #sql: string;
  readonly #ends = new Map<string, Int32Array>();

  constructor(sql: string) {
    this.#sql = sql;
  }

  nameAt(start: number): TestSuiteToken | undefined {
    return this.#at(start, NAME_QUOTES, "other");
  }

  literalAt(start: number): TestSuiteToken | undefined {
    return this.#at(start, LITERAL_QUOTES, "quoted");
  }

  #at(start: number, quotes: string, kind: TestSuiteTokenKind): TestSuiteToken | undefined {
    const quote = this.#sql.charAt(start);
    if (!quotes.includes(quote)) return undefined;
    let ends = this.#ends.get(quote);
    if (ends === undefined) {
      ends = quoteEnds(this.#sql, quote, quotes === LITERAL_QUOTES);
      this.#ends.set(quote, ends);
    }
    const end = ends[start + 1] as number;
    return end === 0 ? undefined : { kind, text: this.#sql.slice(start, end) };
  }
}

/**
 * For every offset inside a quoted text, where that text ends; 0 where it does not. Doubled quotes and, in literals,
 * a backslash with the character that it escapes go together wherever the text can still be closed behind them.
 */
function quoteEnds(sql: string, quote: string, hasEscapes: boolean): Int32Array {
  const ends = new Int32Array(sql.length + 3);
  for (let offset = sql.length - 1; offset >= 0; offset -= 1) {
    const character = sql.charAt(offset);
    const next = sql.charAt(offset + 1);
    const isPair =
      (character === quote && next === quote) ||
      (hasEscapes && character === "\\" && (next === "\\" || next === quote));
    let end = isPair ? (ends[offset + 2] as number) : 0;
    if (end === 0) end = character === quote ? offset + 1 : (ends[offset + 1] as number);
    ends[offset] = end;
  }
  return ends;
}
