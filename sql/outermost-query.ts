import { nameOf, significantTokens } from "./lexer.ts";
import type { Token } from "./lexer.ts";

/** A piece of a statement; `text` is as written. */
export interface Expression {
  readonly text: string;
  readonly tokens: readonly Token[];
}

/** A result column; `text` and `tokens` are without its alias, a star is `*` or `T.*`. */
export interface SelectItem extends Expression {
  readonly alias: string | null;
  readonly isStar: boolean;
}

/** A term of ORDER BY without its direction. */
export interface OrderTerm extends Expression {
  readonly nullsFirst: boolean;
}

/** `count` or `offset` is `null` where it is no whole number written out; a negative count is no limit. */
export interface RowLimit {
  readonly count: number | null;
  readonly offset: number | null;
}

/** The clauses of a query's outermost SELECT, or of the first one of a compound query. */
export interface OutermostQuery {
  /** Without what follows the first `;` of the statement. */
  readonly sql: string;
  readonly tokens: readonly Token[];
  /** The set operators that join selects, in lower case. */
  readonly operators: readonly ("union" | "union all" | "intersect" | "except")[];
  /** The word DISTINCT of the select; `null` without. */
  readonly distinct: Token | null;
  readonly items: readonly SelectItem[];
  /** Where its result columns end, as an offset in `sql`. */
  readonly itemsEnd: number;
  /** Where what makes its rows ends, FROM and WHERE, as an offset in `sql`. */
  readonly rowsEnd: number;
  readonly groupBy: readonly Expression[];
  readonly having: readonly Token[];
  /** Of the whole query. */
  readonly orderBy: readonly OrderTerm[];
  /** Of the whole query; `null` without LIMIT. */
  readonly limit: RowLimit | null;
  /** Where LIMIT begins, or the query ends. */
  readonly limitStart: number;
}

type Clause = "select" | "from" | "where" | "group" | "having" | "window" | "compound" | "order" | "limit";

interface ClauseStart {
  readonly clause: Clause;
  /** Of the first word, and of the first token of its content. */
  readonly word: number;
  readonly content: number;
}

interface Source {
  readonly sql: string;
  readonly tokens: readonly Token[];
  readonly starts: readonly ClauseStart[];
}

const CLAUSES: ReadonlySet<string> = new Set("select from where group having window order limit".split(" "));
const MAKES_ROWS: ReadonlySet<Clause> = new Set<Clause>(["select", "from", "where"]);
const SET_OPERATORS: ReadonlySet<string> = new Set(["union", "intersect", "except"]);

/** Reads the outermost clauses of a SELECT; `null` for a text that is none, or has unbalanced parentheses. */
export function outermostQuery(sql: string): OutermostQuery | null {
  const all = significantTokens(sql);
  const first = all.findIndex(({ text }) => text !== ";");
  if (first === -1 || all.some(({ kind }) => kind === "unterminated" || kind === "illegal")) return null;
  const end = all.findIndex(({ text }, index) => index > first && text === ";");
  const tokens = all.slice(first, end === -1 ? all.length : end);
  const starts = clauseStarts(tokens);
  if (starts === null) return null;
  const last = tokens.at(-1) as Token;
  const source = { sql: sql.slice(0, last.end), tokens, starts };
  const limit = starts.find(({ clause }) => clause === "limit");
  const behindRows = starts.find(({ clause }) => !MAKES_ROWS.has(clause));
  return {
    sql: source.sql,
    tokens,
    operators: operatorsOf(source),
    ...resultColumns(source),
    rowsEnd: behindRows === undefined ? last.end : (tokens[behindRows.word] as Token).start,
    groupBy: commaSeparated(contentOf(source, "group")).map((one) => expression(source.sql, one)),
    having: contentOf(source, "having"),
    orderBy: commaSeparated(contentOf(source, "order")).map((one) => orderTerm(source.sql, one)),
    limit: limit === undefined ? null : limitOf(contentOf(source, "limit")),
    limitStart: limit === undefined ? last.end : (tokens[limit.word] as Token).start,
  };
}

/** The pieces between the commas that stand outside parentheses. */
export function commaSeparated(tokens: readonly Token[]): (readonly Token[])[] {
  const pieces: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += depthChange(token);
    if (token.text === "," && depth === 0) pieces.push([]);
    else pieces.at(-1)?.push(token);
  }
  return pieces.filter((piece) => piece.length > 0);
}

/** 1 for an opening parenthesis, -1 for a closing one, else 0. */
export function depthChange({ kind, text }: Token): number {
  if (kind !== "punctuation") return 0;
  if (text === "(") return 1;
  return text === ")" ? -1 : 0;
}

/** The word of a token in lower case; empty for any other token. */
export function wordOf(token: Token | undefined): string {
  return token?.kind === "word" ? token.text.toLowerCase() : "";
}

/** Whether a token can be the name of a column, table or alias. */
export function isName(token: Token | undefined): boolean {
  return token?.kind === "word" || token?.kind === "quoted-identifier";
}

/** Where the outermost clauses begin; `null` where the text begins with neither SELECT nor WITH. */
function clauseStarts(tokens: readonly Token[]): ClauseStart[] | null {
  const starts: ClauseStart[] = [];
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    depth += depthChange(token);
    if (depth < 0) return null;
    if (depth > 0 || tokens[index - 1]?.text === ".") continue;
    const word = wordOf(token);
    if (SET_OPERATORS.has(word)) {
      const content = wordOf(tokens[index + 1]) === "all" ? index + 2 : index + 1;
      starts.push({ clause: "compound", word: index, content });
    } else if (CLAUSES.has(word) && !isPartOfExpression(tokens, index)) {
      const isPair = word === "group" || word === "order";
      if (isPair && wordOf(tokens[index + 1]) !== "by") continue;
      starts.push({ clause: word as Clause, word: index, content: index + (isPair ? 2 : 1) });
    }
  }
  if (depth !== 0 || starts[0]?.clause !== "select") return null;
  return wordOf(tokens[0]) === "with" || starts[0].word === 0 ? starts : null;
}

/** FROM in IS [NOT] DISTINCT FROM. */
function isPartOfExpression(tokens: readonly Token[], index: number): boolean {
  const before = wordOf(tokens[index - 2]);
  return wordOf(tokens[index - 1]) === "distinct" && (before === "is" || before === "not");
}

function operatorsOf({ tokens, starts }: Source): OutermostQuery["operators"] {
  return starts
    .filter(({ clause }) => clause === "compound")
    .map(({ word, content }) => {
      const name = wordOf(tokens[word]) as "union" | "intersect" | "except";
      return name === "union" && content === word + 2 ? "union all" : name;
    });
}

/** The content of a clause: ORDER BY and LIMIT of the whole query, the others of its first select. */
function contentOf({ tokens, starts }: Source, clause: Clause): readonly Token[] {
  const compound = starts.findIndex((start) => start.clause === "compound");
  const isOfWhole = clause === "order" || clause === "limit" || compound === -1;
  const start = (isOfWhole ? starts : starts.slice(0, compound)).find((one) => one.clause === clause);
  if (start === undefined) return [];
  const next = starts[starts.indexOf(start) + 1];
  return tokens.slice(start.content, next?.word ?? tokens.length);
}

function resultColumns(source: Source): Pick<OutermostQuery, "distinct" | "items" | "itemsEnd"> {
  const content = contentOf(source, "select");
  const quantifier = wordOf(content[0]);
  const list = quantifier === "distinct" || quantifier === "all" ? content.slice(1) : content;
  return {
    distinct: quantifier === "distinct" ? (content[0] as Token) : null,
    items: commaSeparated(list).map((one) => selectItem(source.sql, one)),
    itemsEnd: list.at(-1)?.end ?? 0,
  };
}

function expression(sql: string, tokens: readonly Token[]): Expression {
  return { text: sql.slice(tokens[0]?.start ?? 0, tokens.at(-1)?.end ?? 0), tokens };
}

/** Words that end an expression, and words that want another operand: what follows them is no alias. */
const NO_ALIAS: ReadonlySet<string> = new Set(["null", "end", "isnull", "notnull", "true", "false"]);
const WANTS_OPERAND: ReadonlySet<string> = new Set(
  "is not collate and or like glob regexp match in between then else when case distinct from escape exists".split(
    " ",
  ),
);
const OPERANDS: ReadonlySet<string> = new Set(["word", "quoted-identifier", "string", "number", "blob"]);

function selectItem(sql: string, tokens: readonly Token[]): SelectItem {
  const last = tokens.at(-1) as Token;
  const before = tokens.at(-2);
  const isStar = last.text === "*" && (before === undefined || before.text === ".");
  const canName = isName(last) || last.kind === "string";
  if (canName && wordOf(before) === "as" && tokens.length > 2) {
    return { ...expression(sql, tokens.slice(0, -2)), alias: nameOf(last), isStar };
  }
  const endsOperand = before !== undefined && (before.text === ")" || OPERANDS.has(before.kind));
  const isAlias = canName && endsOperand && !NO_ALIAS.has(wordOf(last)) && !WANTS_OPERAND.has(wordOf(before));
  if (!isAlias) return { ...expression(sql, tokens), alias: null, isStar };
  return { ...expression(sql, tokens.slice(0, -1)), alias: nameOf(last), isStar };
}

function orderTerm(sql: string, tokens: readonly Token[]): OrderTerm {
  let rest = tokens;
  let nulls = "";
  if (wordOf(rest.at(-2)) === "nulls") {
    nulls = wordOf(rest.at(-1));
    rest = rest.slice(0, -2);
  }
  const direction = wordOf(rest.at(-1));
  if (direction === "asc" || direction === "desc") rest = rest.slice(0, -1);
  return { ...expression(sql, rest), nullsFirst: nulls === "" ? direction !== "desc" : nulls === "first" };
}

function limitOf(tokens: readonly Token[]): RowLimit {
  const pieces = commaSeparated(tokens);
  if (pieces.length === 2) {
    return { count: wholeNumber(pieces[1] ?? []), offset: wholeNumber(pieces[0] ?? []) };
  }
  const at = tokens.findIndex((token) => wordOf(token) === "offset");
  if (at === -1) return { count: wholeNumber(tokens), offset: 0 };
  return { count: wholeNumber(tokens.slice(0, at)), offset: wholeNumber(tokens.slice(at + 1)) };
}

function wholeNumber(tokens: readonly Token[]): number | null {
  const text = tokens.map((token) => token.text).join("");
  return /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}
