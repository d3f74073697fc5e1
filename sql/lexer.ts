export type TokenKind =
  | "word"
  | "quoted-identifier"
  | "string"
  | "blob"
  | "number"
  | "operator"
  | "punctuation"
  | "parameter"
  | "space"
  | "comment"
  | "unterminated"
  | "illegal";

/** One lexical element of an SQL text; `sql.slice(start, end) === text` (UTF-16 offsets). */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** The text SQLite sees: everything before `limit`, the first NUL or the end. */
interface Source {
  readonly sql: string;
  readonly limit: number;
}

interface Scanned {
  readonly kind: TokenKind;
  readonly end: number;
}

const END_OF_INPUT = 0;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const FORM_FEED = 0x0c;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const BYTE_ORDER_MARK = 0xfeff;
const SINGLE_QUOTE = "'".charCodeAt(0);
const CLOSING_BRACKET = "]".charCodeAt(0);
const CLOSING_PARENTHESIS = ")".charCodeAt(0);
const OPENING_PARENTHESIS = "(".charCodeAt(0);
const COLON = ":".charCodeAt(0);
const DOT = ".".charCodeAt(0);
const SLASH = "/".charCodeAt(0);
const STAR = "*".charCodeAt(0);
const UNDERSCORE = "_".charCodeAt(0);
const PLUS = "+".charCodeAt(0);
const MINUS = "-".charCodeAt(0);
const ZERO = "0".charCodeAt(0);

/** Longest first, so that the first one that fits is the one SQLite takes. */
const OPERATORS = "->> -> || << <= <> < >> >= > == = != - + * / % & | ~".split(" ");

/**
 * Splits any text the way SQLite's tokenizer does (3.46 or later, digit separators included); it never throws, takes
 * time linear in the text, and the texts of the tokens joined are `sql`.
 *
 * - `word` is a keyword or a bare identifier; `unterminated` is a quoted form that runs to the end of the text.
 * - A block comment without an end is one `comment` to the end of the text, as for SQLite.
 * - A NUL ends the input for SQLite: it and everything after it are one `illegal` token.
 * - A byte order mark is `space` where a token starts, and a part of an identifier elsewhere. A vertical tab is `space`
 *   only after another white space character.
 */
export function tokenize(sql: string): Token[] {
  const nul = sql.indexOf("\0");
  const source: Source = { sql, limit: nul === -1 ? sql.length : nul };
  const tokens: Token[] = [];
  let start = 0;
  while (start < source.limit) {
    const { kind, end } = scan(source, start);
    tokens.push({ kind, text: sql.slice(start, end), start, end });
    start = end;
  }
  if (nul !== -1) tokens.push({ kind: "illegal", text: sql.slice(nul), start: nul, end: sql.length });
  return tokens;
}

/** The tokens SQLite's parser receives: all but white space and comments. */
export function significantTokens(sql: string): Token[] {
  return tokenize(sql).filter((token) => token.kind !== "space" && token.kind !== "comment");
}

/** The name a `word`, `quoted-identifier` or `string` token stands for, quotes removed; case is kept. */
export function nameOf(token: Token): string {
  if (token.kind !== "quoted-identifier" && token.kind !== "string") return token.text;
  const quote = token.text.charAt(0);
  const inner = token.text.slice(1, -1);
  return quote === "[" ? inner : inner.replaceAll(quote + quote, quote);
}

/** The word of a token in lower case; empty for any other token. */
export function wordOf(token: Token | undefined): string {
  return token?.kind === "word" ? token.text.toLowerCase() : "";
}

/** Whether a token can be the name of a column, table or alias. */
export function isName(token: Token | undefined): boolean {
  return token?.kind === "word" || token?.kind === "quoted-identifier";
}

function scan(source: Source, start: number): Scanned {
  const code = codeAt(source, start);
  if (isBlank(code) || code === BYTE_ORDER_MARK) return scanSpace(source, start);
  const character = source.sql.charAt(start);
  switch (character) {
    case "'":
    case '"':
    case "`":
      return scanQuoted(source, start);
    case "[":
      return scanBracketed(source, start);
    case "$":
    case "@":
    case ":":
    case "#":
      return scanNamedParameter(source, start);
    case "?":
      return { kind: "parameter", end: skip(source, start + 1, isDigit) };
    case "(":
    case ")":
    case ",":
    case ";":
      return { kind: "punctuation", end: start + 1 };
    case ".":
      return isDigit(codeAt(source, start + 1))
        ? scanNumber(source, start)
        : { kind: "punctuation", end: start + 1 };
    default:
  }
  if ((character === "x" || character === "X") && codeAt(source, start + 1) === SINGLE_QUOTE) {
    return scanBlob(source, start);
  }
  if (isDigit(code)) return scanNumber(source, start);
  if (isIdentifierPart(code)) return { kind: "word", end: skip(source, start + 1, isIdentifierPart) };
  return scanComment(source, start) ?? scanOperator(source, start);
}

function scanSpace(source: Source, start: number): Scanned {
  if (codeAt(source, start) === BYTE_ORDER_MARK) return { kind: "space", end: start + 1 };
  return { kind: "space", end: skip(source, start + 1, (code) => code === SPACE || isControlSpace(code)) };
}

function scanQuoted(source: Source, start: number): Scanned {
  const quote = codeAt(source, start);
  let end = start + 1;
  while (end < source.limit) {
    if (codeAt(source, end) !== quote) end += 1;
    else if (codeAt(source, end + 1) === quote) end += 2;
    else return { kind: quote === SINGLE_QUOTE ? "string" : "quoted-identifier", end: end + 1 };
  }
  return { kind: "unterminated", end: source.limit };
}

function scanBracketed(source: Source, start: number): Scanned {
  const end = skip(source, start + 1, (code) => code !== CLOSING_BRACKET);
  return end < source.limit
    ? { kind: "quoted-identifier", end: end + 1 }
    : { kind: "unterminated", end: source.limit };
}

function scanBlob(source: Source, start: number): Scanned {
  const firstDigit = start + 2;
  const lastDigit = skip(source, firstDigit, isHexDigit);
  const end = skip(source, lastDigit, (code) => code !== SINGLE_QUOTE);
  if (end >= source.limit) return { kind: "unterminated", end: source.limit };
  const wholeBytes = end === lastDigit && (lastDigit - firstDigit) % 2 === 0;
  return { kind: wholeBytes ? "blob" : "illegal", end: end + 1 };
}

/** `$a`, `@a`, `:a`, with Tcl's `::` and one `(suffix)`. `#a` belongs to SQLite's own nested parses only. */
function scanNamedParameter(source: Source, start: number): Scanned {
  let named = false;
  let end = start + 1;
  for (;;) {
    const code = codeAt(source, end);
    if (isIdentifierPart(code)) {
      named = true;
      end += 1;
    } else if (code === COLON && codeAt(source, end + 1) === COLON) {
      end += 2;
    } else {
      break;
    }
  }
  let closed = true;
  if (named && codeAt(source, end) === OPENING_PARENTHESIS) {
    end = skip(
      source,
      end + 1,
      (code) => code !== SPACE && !isControlSpace(code) && code !== CLOSING_PARENTHESIS,
    );
    closed = codeAt(source, end) === CLOSING_PARENTHESIS;
    if (closed) end += 1;
  }
  const accepted = named && closed && source.sql.charAt(start) !== "#";
  return { kind: accepted ? "parameter" : "illegal", end };
}

function scanNumber(source: Source, start: number): Scanned {
  const isHex =
    codeAt(source, start) === ZERO &&
    (source.sql.charAt(start + 1) === "x" || source.sql.charAt(start + 1) === "X") &&
    isHexDigit(codeAt(source, start + 2));
  const end = isHex
    ? skip(source, start + 2, (code) => isHexDigit(code) || code === UNDERSCORE)
    : scanDecimal(source, start);
  const wholeEnd = skip(source, end, isIdentifierPart);
  const separated = separatorsAreBetweenDigits(source, start, end, isHex ? isHexDigit : isDigit);
  return { kind: wholeEnd === end && separated ? "number" : "illegal", end: wholeEnd };
}

function scanDecimal(source: Source, start: number): number {
  const isDigitOrSeparator = (code: number): boolean => isDigit(code) || code === UNDERSCORE;
  let end = skip(source, start, isDigitOrSeparator);
  if (codeAt(source, end) === DOT) end = skip(source, end + 1, isDigitOrSeparator);
  const exponent = source.sql.charAt(end);
  if (exponent !== "e" && exponent !== "E") return end;
  const next = codeAt(source, end + 1);
  const firstDigit = next === PLUS || next === MINUS ? end + 2 : end + 1;
  return isDigit(codeAt(source, firstDigit)) ? skip(source, firstDigit, isDigitOrSeparator) : end;
}

function separatorsAreBetweenDigits(
  source: Source,
  start: number,
  end: number,
  isDigitHere: (code: number) => boolean,
): boolean {
  for (let index = start; index < end; index += 1) {
    if (codeAt(source, index) !== UNDERSCORE) continue;
    if (!isDigitHere(codeAt(source, index - 1)) || !isDigitHere(codeAt(source, index + 1))) return false;
  }
  return true;
}

function scanComment(source: Source, start: number): Scanned | undefined {
  const first = codeAt(source, start);
  const second = codeAt(source, start + 1);
  if (first === MINUS && second === MINUS) {
    return { kind: "comment", end: skip(source, start + 2, (code) => code !== LINE_FEED) };
  }
  // Two characters at the very end of the input are the operators "/" and "*" for SQLite.
  if (first !== SLASH || second !== STAR || start + 2 >= source.limit) return undefined;
  const close = source.sql.indexOf("*/", start + 2);
  return { kind: "comment", end: close === -1 || close + 2 > source.limit ? source.limit : close + 2 };
}

function scanOperator(source: Source, start: number): Scanned {
  const operator = OPERATORS.find(
    (candidate) => source.sql.startsWith(candidate, start) && start + candidate.length <= source.limit,
  );
  if (operator !== undefined) return { kind: "operator", end: start + operator.length };
  return { kind: "illegal", end: start + 1 };
}

function codeAt(source: Source, index: number): number {
  return index < source.limit ? source.sql.charCodeAt(index) : END_OF_INPUT;
}

function skip(source: Source, start: number, belongs: (code: number) => boolean): number {
  let end = start;
  while (end < source.limit && belongs(codeAt(source, end))) end += 1;
  return end;
}

function isBlank(code: number): boolean {
  return (
    code === SPACE || code === TAB || code === LINE_FEED || code === FORM_FEED || code === CARRIAGE_RETURN
  );
}

/** Tab to carriage return, the vertical tab included. */
function isControlSpace(code: number): boolean {
  return code >= TAB && code <= CARRIAGE_RETURN;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isHexDigit(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

/** Letters, digits, `_`, `$` and every character from U+0080 on. */
function isIdentifierPart(code: number): boolean {
  return (
    isDigit(code) ||
    (code >= 0x41 && code <= 0x5a) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === UNDERSCORE ||
    code === 0x24 ||
    code >= 0x80
  );
}
