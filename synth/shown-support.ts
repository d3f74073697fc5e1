import { nameOf, significantTokens, type Token } from "../sql/lexer.ts";

const NUMBER_WORDS: Readonly<Record<string, string>> = {
  "0": "zero no none",
  "1": "one a an single first",
  "2": "two both second twice pair",
  "3": "three third",
  "4": "four fourth quarter",
  "5": "five fifth",
  "6": "six sixth",
  "7": "seven seventh week",
  "8": "eight eighth",
  "9": "nine ninth",
  "10": "ten tenth decade",
  "11": "eleven",
  "12": "twelve dozen year",
  "20": "twenty",
  "24": "hours",
  "30": "thirty month",
  "50": "fifty half",
  "60": "minutes seconds",
  "100": "hundred percent percentage",
  "1000": "thousand",
  "365": "year years days",
};
/** Numbers that need no ground. */
const PLAIN_NUMBERS: ReadonlySet<string> = new Set(["0", "1", "2", "100", "1.0", "0.0", "100.0"]);
/** What date functions take. */
const DATE_WORDS =
  /^(?:now|localtime|utc|unixepoch|auto|start of (?:day|month|year)|[+-]?\d+(?:\.\d+)? (?:days?|months?|years?|hours?|minutes?|seconds?)|weekday \d)$/i;
const PREFIX = 4;

/** What an agent was shown so far, and what that supports. */
export class ShownSupport {
  #text = "";
  #words: Set<string> = new Set();

  /** Adds a text that was shown. */
  add(text: string): void {
    const folded = fold(text);
    this.#text += ` ${folded} \n`;
    for (const word of folded.match(/[\p{L}\p{N}]+/gu) ?? []) this.#words.add(word);
  }

  /** Whether a text was shown as it is, whatever its case and white space. */
  has(text: string): boolean {
    return this.#text.includes(fold(text));
  }

  /** Whether a string of a query has a ground in what was shown: its words or their stems, or a code for one of them. */
  supportsText(literal: string): boolean {
    const text = fold(literal.replace(/[%_*?]+/g, " ")).trim();
    if (!/[\p{L}\p{N}]/u.test(text) || /^(?:%?[ymdhmsjfw][-: /.]*)+$/i.test(literal) || DATE_WORDS.test(text))
      return true;
    if (this.#text.includes(text)) return true;
    return (text.match(/[\p{L}\p{N}]+/gu) ?? []).every((word) => this.#supportsWord(word));
  }

  /** Whether a number of a query has a ground: shown, in words, or 0, 1, 2 and 100. */
  supportsNumber(literal: string): boolean {
    if (PLAIN_NUMBERS.has(literal)) return true;
    const plain = String(Number(literal));
    if (this.#words.has(plain) || this.#text.includes(literal) || this.#text.includes(plain)) return true;
    const words = NUMBER_WORDS[plain];
    if (words?.split(" ").some((word) => this.#words.has(word)) === true) return true;
    const [grouped, bare] = [Number(literal).toLocaleString("en-US"), plain.replace(/0+$/, "")];
    return this.#text.includes(grouped) || (bare.length < plain.length && this.#words.has(bare));
  }

  #supportsWord(word: string): boolean {
    if (/^\p{N}+$/u.test(word)) return word.length <= 2 || this.supportsNumber(word);
    if (this.#words.has(word)) return true;
    for (const shown of this.#words) {
      if (word.length < PREFIX ? shown.startsWith(word) : shown.startsWith(word.slice(0, PREFIX)))
        return true;
      if (word.length >= PREFIX && word.length <= 5 && initialsMatch(word, shown)) return true;
    }
    return false;
  }
}

function initialsMatch(word: string, shown: string): boolean {
  return shown.length > word.length && shown.startsWith(word);
}

function fold(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ");
}

/** The literals of a query. */
export function literalsOf(sql: string): { readonly strings: string[]; readonly numbers: string[] } {
  const tokens = significantTokens(sql);
  return {
    strings: tokens.filter(({ kind }) => kind === "string").map(nameOf),
    numbers: tokens.filter(({ kind }) => kind === "number").map(({ text }) => text),
  };
}

/** The names of a query that stand for tables or columns, lower case: those it defines itself are left out. */
export function namesOf(sql: string): string[] {
  const tokens = significantTokens(sql);
  const own = new Set<string>();
  for (const [index, token] of tokens.entries()) {
    if (!isName(token)) continue;
    const before = tokens[index - 1];
    const after = tokens[index + 1];
    const word = nameOf(token).toLowerCase();
    if (
      before?.text.toLowerCase() === "as" ||
      (after?.text.toLowerCase() === "as" && isOpening(tokens[index + 2]))
    )
      own.add(word);
    if (isPlainName(before) && !isReserved(before) && !isReserved(token)) own.add(word);
    if (before?.text === ")" && !isReserved(token)) own.add(word);
  }
  return tokens
    .filter((token, index) => isName(token) && !isReserved(token) && tokens[index + 1]?.text !== "(")
    .map((token) => nameOf(token).toLowerCase())
    .filter((name) => !own.has(name));
}

function isOpening(token: Token | undefined): boolean {
  return token?.text === "(";
}

function isName(token: Token | undefined): token is Token {
  return token?.kind === "word" || token?.kind === "quoted-identifier";
}

function isPlainName(token: Token | undefined): token is Token {
  return isName(token);
}

function isReserved(token: Token): boolean {
  return token.kind === "word" && RESERVED.has(token.text.toLowerCase());
}

const RESERVED: ReadonlySet<string> = new Set(
  (
    "select from where group by order having limit offset join inner left right full outer cross natural on using as and or not in is null " +
    "like glob between exists case when then else end union all intersect except distinct asc desc cast with recursive values over partition " +
    "rows range preceding following unbounded current row nulls first last collate nocase binary rtrim escape integer real text numeric blob " +
    "int float varchar char date datetime filter true false match regexp isnull notnull pragma table_info table_xinfo table_list " +
    "foreign_key_list index_list index_info explain query plan double decimal boolean rowid sqlite_master sqlite_schema type name sql tbl_name current_date current_timestamp"
  ).split(" "),
);
