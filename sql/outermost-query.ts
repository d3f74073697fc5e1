import { commaSeparated, depthChange } from "./comma-separated.ts";
import { isName, nameOf, significantTokens, wordOf } from "./lexer.ts";
import type { Token } from "./lexer.ts";
import { outlineTokens } from "./query-scan.ts";
import type { ClauseName, QueryScope, Stretch } from "./query-parts.ts";

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

/** The clauses that make rows; what any other one does comes after. */
const MAKES_ROWS: ReadonlySet<ClauseName> = new Set<ClauseName>(["select", "from", "where"]);
const SET_OPERATORS: ReadonlySet<string> = new Set(["union", "intersect", "except", "all"]);

/** A statement with the clauses of its first SELECT, and those of the whole query. */
interface Source {
  readonly sql: string;
  readonly tokens: readonly Token[];
  readonly first: QueryScope;
  readonly isCompound: boolean;
  readonly order: Stretch | undefined;
  readonly limit: Stretch | undefined;
}

/** Reads the outermost clauses of a SELECT; `null` for a text that is none, or has unbalanced parentheses. */
export function outermostQuery(sql: string): OutermostQuery | null {
  const all = significantTokens(sql);
  const first = all.findIndex(({ text }) => text !== ";");
  if (first === -1 || all.some(({ kind }) => kind === "unterminated" || kind === "illegal")) return null;
  const end = all.findIndex(({ text }, index) => index > first && text === ";");
  const tokens = all.slice(first, end === -1 ? all.length : end);
  if (!isBalanced(tokens)) return null;
  const { statement } = outlineTokens(tokens);
  const select = statement.scopes[0];
  if (select === undefined || !beginsQuery(tokens, select)) return null;
  const source: Source = {
    sql: sql.slice(0, (tokens.at(-1) as Token).end),
    tokens,
    first: select,
    isCompound: statement.setOperations.length > 0,
    order: clauseOfAny(statement.scopes, "order"),
    limit: clauseOfAny(statement.scopes, "limit"),
  };
  return {
    sql: source.sql,
    tokens,
    operators: statement.setOperations as OutermostQuery["operators"],
    ...resultColumns(source),
    rowsEnd: startOf(source, rowsEnd(source)),
    groupBy: commaSeparated(contentOf(source, "group")).map((one) => expression(source.sql, one)),
    having: contentOf(source, "having"),
    orderBy: commaSeparated(within(source, source.order)).map((one) => orderTerm(source.sql, one)),
    limit: source.limit === undefined ? null : limitOf(within(source, source.limit)),
    limitStart: startOf(source, source.limit === undefined ? tokens.length : source.limit.start - 1),
  };
}

function isBalanced(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (const token of tokens) {
    depth += depthChange(token);
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** Whether a statement is a SELECT, or common table expressions before one that is no part of a compound of VALUES. */
function beginsQuery(tokens: readonly Token[], first: QueryScope): boolean {
  const select = (first.clauses.get("select")?.start ?? 0) - 1;
  if (select === 0) return true;
  return wordOf(tokens[0]) === "with" && !SET_OPERATORS.has(wordOf(tokens[select - 1]));
}

function clauseOfAny(scopes: readonly QueryScope[], name: ClauseName): Stretch | undefined {
  return scopes.map(({ clauses }) => clauses.get(name)).find((clause) => clause !== undefined);
}

/** The token behind those that make the rows: the first word of another clause or of a set operation, if any. */
function rowsEnd({ tokens, first, isCompound }: Source): number {
  const others = [...first.clauses].filter(([name]) => !MAKES_ROWS.has(name));
  const words = others.map(([name, { start }]) => start - (name === "group" || name === "order" ? 2 : 1));
  const ends = isCompound ? [...first.clauses.values()].map(({ end }) => end) : [tokens.length];
  return Math.min(...words, Math.max(...ends));
}

/** Where a token starts in the text; behind the last one, where that ends. */
function startOf({ sql, tokens }: Source, index: number): number {
  return tokens[index]?.start ?? sql.length;
}

function contentOf(source: Source, name: ClauseName): readonly Token[] {
  return within(source, source.first.clauses.get(name));
}

function within({ tokens }: Source, stretch: Stretch | undefined): readonly Token[] {
  return stretch === undefined ? [] : tokens.slice(stretch.start, stretch.end);
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
