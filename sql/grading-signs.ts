import type { DatabaseSchema } from "../core/database.ts";
import { commaSeparated, depthChange } from "./comma-separated.ts";
import { comparedColumns } from "./compared-columns.ts";
import type { ComparedColumn } from "./compared-columns.ts";
import { isName, nameOf, wordOf } from "./lexer.ts";
import type { Token } from "./lexer.ts";
import { itemOf, normalized } from "./order-keys.ts";
import { outermostQuery } from "./outermost-query.ts";
import type { Expression, OutermostQuery } from "./outermost-query.ts";

/** What the text of a gold says about how its answers can be compared. */
export interface GradingSigns {
  /** `null` for a text that is no SELECT. */
  readonly query: OutermostQuery | null;
  /** Whether the outermost query has ORDER BY. */
  readonly ordersRows: boolean;
  /** Whether no two rows can be equal: see {@link hasUniqueRows}. */
  readonly uniqueRows: boolean;
  /** Calls that read the clock, at any depth. */
  readonly clock: readonly string[];
  /** Calls that give random values, at any depth. */
  readonly random: readonly string[];
  /** Columns of text type that are put in order: sorted, compared by size, or looked up by MAX or MIN. */
  readonly textInOrder: readonly ComparedColumn[];
  /** Subqueries with a LIMIT of their own, at any depth. */
  readonly limitedSubqueries: readonly OutermostQuery[];
  /** Columns of the outermost select, as written, that are neither grouped nor inside an aggregate. */
  readonly bareColumns: readonly string[];
  /** The only MIN or MAX beside bare columns: SQLite takes them from a row that has it. `null` for none or several. */
  readonly extreme: Extreme | null;
}

/** A minimum or maximum of an expression, as written. */
export interface Extreme {
  readonly name: "min" | "max";
  readonly of: string;
}

/** Reads the signs of a gold. Never throws; what it cannot read has no signs. */
export function gradingSigns(sql: string, schema: DatabaseSchema): GradingSigns {
  const query = outermostQuery(sql);
  if (query === null) {
    const none: readonly [] = [];
    const lists = {
      clock: none,
      random: none,
      textInOrder: none,
      limitedSubqueries: none,
      bareColumns: none,
    };
    return { query, ordersRows: false, uniqueRows: false, ...lists, extreme: null };
  }
  return {
    query,
    ordersRows: query.orderBy.length > 0,
    uniqueRows: hasUniqueRows(query),
    clock: clockCalls(query.tokens),
    random: calls(query.tokens, RANDOM_FUNCTIONS).map(({ name }) => `${name}()`),
    textInOrder: comparedColumns(query.tokens, schema),
    limitedSubqueries: limitedSubqueries(query),
    ...bareColumns(query),
  };
}

/**
 * Whether a query cannot give a row twice by its text: it has DISTINCT, or joins its selects last by a set operator
 * that removes duplicates, or selects every expression that it groups by. One row of aggregates does not count.
 */
export function hasUniqueRows(query: OutermostQuery): boolean {
  const operator = query.operators.at(-1);
  if (operator !== undefined) return operator !== "union all";
  if (query.distinct !== null) return true;
  const { groupBy, items } = query;
  if (groupBy.length === 0) return false;
  const selected = new Set(items.map(normalized));
  return groupBy.every((term) => itemOf(term, query) !== null || selected.has(normalized(term)));
}

const CLOCK_WORDS: ReadonlySet<string> = new Set(["current_date", "current_time", "current_timestamp"]);
const RANDOM_FUNCTIONS: ReadonlySet<string> = new Set(["random", "randomblob"]);
const TIME_FUNCTIONS: ReadonlySet<string> = new Set([
  "date",
  "time",
  "datetime",
  "julianday",
  "unixepoch",
  "strftime",
  "timediff",
]);

function clockCalls(tokens: readonly Token[]): string[] {
  const words = tokens
    .filter((token, index) => CLOCK_WORDS.has(wordOf(token)) && tokens[index - 1]?.text !== ".")
    .map((token) => token.text.toUpperCase());
  const called = calls(tokens, TIME_FUNCTIONS)
    .filter(({ name, inside }) => readsClock(name, inside))
    .map(({ name }) => `${name}('now')`);
  return [...new Set([...words, ...called])];
}

/** A time function reads the clock when told 'now', and when it is given no time at all. */
function readsClock(name: string, inside: readonly Token[]): boolean {
  if (inside.some((token) => isText(token) && nameOf(token).toLowerCase() === "now")) return true;
  return commaSeparated(inside).length === (name === "strftime" ? 1 : 0);
}

function isText(token: Token): boolean {
  return token.kind === "string" || token.kind === "quoted-identifier";
}

interface Call {
  readonly name: string;
  readonly inside: readonly Token[];
  /** Where its name stands, and its closing parenthesis. */
  readonly start: number;
  readonly end: number;
}

/** Calls of functions by name, at any depth. */
function calls(tokens: readonly Token[], names: ReadonlySet<string>): Call[] {
  const found: Call[] = [];
  for (const [start, token] of tokens.entries()) {
    const name = wordOf(token);
    if (!names.has(name) || tokens[start + 1]?.text !== "(") continue;
    const end = closingOf(tokens, start + 1);
    found.push({ name, inside: tokens.slice(start + 2, end), start, end });
  }
  return found;
}

/** The index of the parenthesis that closes the one at `open`. */
function closingOf(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let index = open; index < tokens.length; index += 1) {
    depth += depthChange(tokens[index] as Token);
    if (depth === 0) return index;
  }
  return tokens.length;
}

/** Subqueries that are looked at for a LIMIT. */
const MAX_SUBQUERIES = 100;

function limitedSubqueries({ sql, tokens }: OutermostQuery): OutermostQuery[] {
  if (!tokens.some((token) => wordOf(token) === "limit")) return [];
  return tokens
    .flatMap((token, index) => (token.text === "(" && startsSelect(tokens[index + 1]) ? [index] : []))
    .slice(0, MAX_SUBQUERIES)
    .map((open) => outermostQuery(sql.slice(tokens[open]?.end, tokens[closingOf(tokens, open)]?.start)))
    .filter((query) => query !== null && query.limit !== null) as OutermostQuery[];
}

function startsSelect(token: Token | undefined): boolean {
  return ["select", "with"].includes(wordOf(token));
}

const AGGREGATES: ReadonlySet<string> = new Set([
  "count",
  "sum",
  "avg",
  "total",
  "min",
  "max",
  "group_concat",
  "string_agg",
  "json_group_array",
  "json_group_object",
]);

/** Words of an expression that name no column. */
const KEYWORDS: ReadonlySet<string> = new Set(
  "case when then else end and or not null is in like glob regexp match between as distinct collate escape isnull notnull true false exists asc desc over partition by order filter where rows range current_date current_time current_timestamp".split(
    " ",
  ),
);

function bareColumns(query: OutermostQuery): Pick<GradingSigns, "bareColumns" | "extreme"> {
  if (query.operators.length > 0) return { bareColumns: [], extreme: null };
  const { items, groupBy, orderBy, having } = query;
  const places = [...items, ...orderBy.filter((term) => itemOf(term, query) === null)];
  const aggregates = [...places.map(({ tokens }) => tokens), having].flatMap(aggregateCalls);
  if (groupBy.length === 0 && aggregates.length === 0) return { bareColumns: [], extreme: null };
  const grouped = groupBy.map((term) => itemOf(term, query) ?? term);
  const whole = new Set(grouped.map(normalized));
  const found = places
    .filter((place) => !whole.has(normalized(place)))
    .flatMap(({ tokens }) => columnsOutside(tokens))
    .filter((column) => !grouped.some((term) => isSameColumn(column, term)));
  const columns = new Set(found.map(({ tokens }) => tokens.map(({ text }) => text).join("")));
  return { bareColumns: [...columns], extreme: columns.size === 0 ? null : onlyExtreme(query, aggregates) };
}

function onlyExtreme({ sql }: OutermostQuery, aggregates: readonly Call[]): Extreme | null {
  const extremes = new Map<string, Extreme>();
  for (const { name, inside } of aggregates) {
    if (name !== "min" && name !== "max") continue;
    const of = sql.slice(inside[0]?.start, inside.at(-1)?.end);
    extremes.set(`${name} ${normalized({ text: of, tokens: inside })}`, { name, of });
  }
  const [only] = extremes.values();
  return extremes.size === 1 && only !== undefined ? only : null;
}

function aggregateCalls(tokens: readonly Token[]): Call[] {
  return calls(tokens, AGGREGATES).filter(({ name, inside, end }) => {
    if (wordOf(tokens[end + 1]) === "over") return false;
    return (name !== "min" && name !== "max") || commaSeparated(inside).length === 1;
  });
}

/** The columns of an expression that are in no aggregate, no subquery and no window. */
function columnsOutside(tokens: readonly Token[]): Expression[] {
  const columns: Expression[] = [];
  const aggregates = new Map(aggregateCalls(tokens).map(({ start, end }) => [start, end]));
  let index = 0;
  while (index < tokens.length) {
    const token = tokens[index] as Token;
    const next = tokens[index + 1]?.text;
    const isSubquery = token.text === "(" && startsSelect(tokens[index + 1]);
    if (aggregates.has(index)) index = aggregates.get(index) as number;
    else if (isSubquery) index = closingOf(tokens, index);
    else if (wordOf(token) === "over" && next === "(") index = closingOf(tokens, index + 1);
    else if (wordOf(token) === "as" || wordOf(token) === "collate") index += 1;
    else if (isName(token) && !KEYWORDS.has(wordOf(token)) && next !== "(") {
      const length = next === "." ? 3 : 1;
      const column = tokens.slice(index, index + length);
      if (isName(column.at(-1))) columns.push({ text: "", tokens: column });
      index += length - 1;
    }
    index += 1;
  }
  return columns;
}

/** Whether two columns have one name and no two different tables. */
function isSameColumn(left: Expression, right: Expression): boolean {
  const [leftParts, rightParts] = [left, right].map(({ tokens }) =>
    tokens.filter(isName).map((token) => nameOf(token).toLowerCase()),
  ) as [string[], string[]];
  if (leftParts.at(-1) !== rightParts.at(-1) || right.tokens.length > 3) return false;
  return leftParts.length !== rightParts.length || leftParts[0] === rightParts[0];
}
