import { isName, nameOf, wordOf } from "./lexer.ts";
import type { Token } from "./lexer.ts";
import type { Expression, OrderTerm, OutermostQuery, SelectItem } from "./outermost-query.ts";

/** A query whose rows carry what they are ordered by. */
export interface KeyedQuery {
  readonly sql: string;
  /** Where a row has its order keys: an index from its start, or below 0 from its end. */
  readonly keys: readonly number[];
  /** Columns that the published query has not, at the end of a row. */
  readonly added: number;
}

/**
 * The query with its order keys beside its rows, and a limit of `rows` rows in place of its own (`null`: none). A
 * query without ORDER BY has no keys. `null` where the keys cannot be added without changing the rows: beside DISTINCT
 * or in a compound query a key that is no result column, a term with COLLATE, a random function or an alias inside an
 * expression, the position of a column behind a star.
 */
export function keyedQuery(query: OutermostQuery, rows: number | null): KeyedQuery | null {
  const { sql, orderBy, itemsEnd, limitStart } = query;
  const limit = rows === null ? "" : `\nLIMIT ${rows}`;
  const body = sql.slice(0, limitStart).trimEnd();
  if (query.operators.length > 0) {
    const keys = orderBy.map((term) => columnOf(term, query));
    if (keys.includes(null)) return null;
    return { sql: `${body}${limit}`, keys: keys as number[], added: 0 };
  }
  const expressions = orderBy.map((term) => keyExpression(term, query));
  if (expressions.includes(null)) return null;
  const added = (expressions as string[]).map((text) => `, ${text}`).join("");
  return {
    sql: `${body.slice(0, itemsEnd)}${added}${body.slice(itemsEnd)}${limit}`,
    keys: orderBy.map((_, index) => index - orderBy.length),
    added: orderBy.length,
  };
}

function keyExpression(term: OrderTerm, query: OutermostQuery): string | null {
  const item = itemOf(term, query);
  if (item !== null) return canBeRepeated(item, []) ? item.text : null;
  const { items, distinct } = query;
  if (isPosition(term) || !canBeRepeated(term, items)) return null;
  const isSelected = items.some((one) => normalized(one) === normalized(term));
  const isInStar = items.some(({ isStar }) => isStar) && isColumn(term);
  return distinct === null || isSelected || isInStar ? term.text : null;
}

/** The column of a compound query's rows that a term names; `null` when it cannot be told. */
function columnOf(term: OrderTerm, query: OutermostQuery): number | null {
  const { items } = query;
  const item =
    itemOf(term, query) ??
    items.find((one) => normalized(one) === normalized(term)) ??
    items.find((one) => isColumn(one) && isName(term.tokens[0]) && lastName(one) === lastName(term));
  if (item === undefined) return null;
  const index = items.indexOf(item);
  return items.slice(0, index).some(({ isStar }) => isStar) ? null : index;
}

/** The result column that a term is by its position or alias; `null` when it is none. */
export function itemOf(term: Expression, { items }: Pick<OutermostQuery, "items">): SelectItem | null {
  const [token] = term.tokens;
  if (token === undefined || term.tokens.length > 1) return null;
  if (isPosition(term)) {
    const index = Number(token.text) - 1;
    return items.slice(0, index + 1).some(({ isStar }) => isStar) ? null : (items[index] ?? null);
  }
  if (!isName(token)) return null;
  const name = nameOf(token).toLowerCase();
  return items.find(({ alias }) => alias?.toLowerCase() === name) ?? null;
}

function isPosition({ tokens }: Expression): boolean {
  return tokens.length === 1 && tokens[0]?.kind === "number" && /^\d+$/.test(tokens[0].text);
}

/** Whether the term means the same among the result columns as it does in ORDER BY. */
function canBeRepeated({ tokens }: Expression, items: readonly SelectItem[]): boolean {
  const aliases = new Set(items.map(({ alias }) => alias?.toLowerCase()));
  return tokens.every((token, index) => {
    const word = wordOf(token);
    if (word === "collate" || word === "random" || word === "randomblob") return false;
    if (!isName(token) || !aliases.has(nameOf(token).toLowerCase())) return true;
    return (
      tokens[index - 1]?.text === "." || tokens[index + 1]?.text === "." || tokens[index + 1]?.text === "("
    );
  });
}

/** Whether an expression is one column, with or without its table. */
function isColumn({ tokens }: Expression): boolean {
  if (!isName(tokens[0])) return false;
  return tokens.length === 1 || (tokens.length === 3 && tokens[1]?.text === "." && isName(tokens[2]));
}

function lastName({ tokens }: Expression): string {
  const token = tokens.at(-1);
  return token === undefined ? "" : nameOf(token).toLowerCase();
}

/** The tokens of an expression, names and keywords in lower case. */
export function normalized({ tokens }: Expression): string {
  return tokens.map(normalizedToken).join(" ");
}

function normalizedToken(token: Token): string {
  return isName(token) ? nameOf(token).toLowerCase() : token.text;
}
