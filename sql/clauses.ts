import type { DatabaseSchema } from "../core/database.ts";
import { conditionItems } from "./conditions.ts";
import { joinKeys } from "./join-keys.ts";
import type { JoinKey } from "./join-keys.ts";
import { outlineQuery } from "./query-scan.ts";
import type { QueryScope, QuerySource, Stretch } from "./query-parts.ts";
import { isSelectQuantifier, QueryTexts } from "./query-texts.ts";
import type { ClauseItem } from "./query-texts.ts";

/** A term of ORDER BY: `text` has no direction, but NULLS FIRST or LAST. */
export interface OrderTerm extends ClauseItem {
  readonly isDescending: boolean;
}

/** The clauses of a query as lists of normalised items, in the order of the text; an absent one is empty. */
export interface Clauses {
  /** Common table expressions: `#1 as (select …)`. */
  readonly with: readonly ClauseItem[];
  /** Output expressions without their aliases. */
  readonly select: readonly ClauseItem[];
  readonly isDistinct: boolean;
  /** What is read, one item a use: a table, `#1` for a common table expression, `(select …)`, `f(…)`. */
  readonly from: readonly ClauseItem[];
  /**
   * `on …`, one for each comparison, and `using …` of inner joins; of any other join one item, such as
   * `left join t on …`. A comma, JOIN, INNER and CROSS JOIN are inner joins.
   */
  readonly joins: readonly ClauseItem[];
  /** The columns that ON and WHERE put equal, of inner and outer joins alike; USING and NATURAL are in `joins`. */
  readonly joinKeys: readonly JoinKey[];
  /** Comparisons, and `shape: …` where there is an OR. */
  readonly where: readonly ClauseItem[];
  readonly groupBy: readonly ClauseItem[];
  readonly having: readonly ClauseItem[];
  readonly orderBy: readonly OrderTerm[];
  /** Row count and offset as written, `limit` left out; `null` without one. */
  readonly limit: ClauseItem | null;
  /** Windows by name: `w as (…)`. */
  readonly window: readonly ClauseItem[];
  /** `union`, `union all`, `intersect`, `except`. */
  readonly setOperations: readonly string[];
  /** Every string (in single quotes), number and blob of the text. */
  readonly literals: readonly string[];
  /** Calls of aggregates, subqueries included, `?` for literals: `count(distinct t.a)`; each once. */
  readonly aggregates: readonly string[];
  /** Names of the functions called, aggregates included; each once. */
  readonly functions: readonly string[];
  /** Names of the tables read anywhere, in lower case, each once, by code unit. */
  readonly tables: readonly string[];
}

const AGGREGATES: ReadonlySet<string> = new Set(
  "count sum total avg min max group_concat string_agg median json_group_array json_group_object".split(" "),
);

/** The longest call, in tokens, that is told in full. */
const MAX_CALL = 64;

/**
 * Takes any SQLite query apart into clauses, by its words and parentheses and without a grammar. It never throws; time
 * is linear in the text. A text without SELECT has no clauses.
 *
 * - Keywords, names and functions are in lower case, comments and white space gone, `<>` is `!=`, `==` is `=`.
 * - A column of the only table of its FROM is told by its name, any other by table and name; how tables are told is
 *   said at `QueryNames`. With a schema, columns without a table get theirs, and a double-quoted text that is no column
 *   is a string; without one it is a string behind a comparison and in a list of IN.
 * - A literal is `?` in the text of its item, and the item's `literals` have them in order.
 * - The alias of an output column is left out, and in GROUP BY, HAVING and ORDER BY its expression stands in its
 *   place; it stays in subqueries of FROM and in common table expressions, which give their columns to others.
 * - The SELECTs of a compound add their items to the same lists. A subquery is a part of its item.
 */
export function clausesOf(sql: string, schema: DatabaseSchema | null = null): Clauses {
  const texts = new QueryTexts(outlineQuery(sql), schema);
  const { main } = texts.outline;
  const all = (take: (scope: QueryScope) => readonly ClauseItem[]): ClauseItem[] => main.scopes.flatMap(take);
  const listed = (name: "select" | "group" | "having" | "where" | "window") => (scope: QueryScope) => {
    const stretch = scope.clauses.get(name);
    if (stretch === undefined) return [];
    if (name === "having" || name === "where") return conditionItems(texts, stretch);
    return items(texts, name === "select" ? withoutQuantifier(texts, stretch) : stretch);
  };
  const limits = main.scopes.flatMap((scope) => scope.clauses.get("limit") ?? []);
  return {
    with: main.ctes.map((cte) => texts.item({ start: cte.start, end: cte.body.end })),
    select: all(listed("select")),
    isDistinct: main.scopes.some((scope) => isDistinct(texts, scope)),
    from: all((scope) => scope.sources.map((source) => texts.item(source))),
    joins: all((scope) => scope.sources.flatMap((source) => joinItems(texts, source))),
    joinKeys: joinKeys(all((scope) => conditionsOf(texts, scope))),
    where: all(listed("where")),
    groupBy: all(listed("group")),
    having: all(listed("having")),
    window: all(listed("window")),
    orderBy: main.scopes.flatMap((scope) => orderTerms(texts, scope.clauses.get("order"))),
    limit: limits[0] === undefined ? null : texts.item(limits[0]),
    setOperations: main.setOperations.slice(0, Math.max(0, main.scopes.length - 1)),
    ...callsOf(texts),
    literals: texts.outline.tokens.flatMap((_token, index) => texts.literalsAt(index)),
    tables: texts.names.tables,
  };
}

function conditionsOf(texts: QueryTexts, { sources, clauses }: QueryScope): ClauseItem[] {
  const stretches = [...sources.flatMap(({ on }) => on), clauses.get("where") ?? []].flat();
  return stretches.flatMap((stretch) => conditionItems(texts, stretch));
}

function items(texts: QueryTexts, stretch: Stretch): ClauseItem[] {
  return texts
    .split(stretch)
    .map((part) => texts.item(part))
    .filter((item) => item.text !== "");
}

function isDistinct(texts: QueryTexts, scope: QueryScope): boolean {
  const select = scope.clauses.get("select");
  return select !== undefined && select.end > select.start && wordAt(texts, select.start) === "distinct";
}

function withoutQuantifier(texts: QueryTexts, { start, end }: Stretch): Stretch {
  const quantified = start < end && isSelectQuantifier(wordAt(texts, start));
  return { start: quantified ? start + 1 : start, end };
}

function wordAt(texts: QueryTexts, index: number): string {
  const token = texts.outline.tokens[index];
  return token?.kind === "word" ? token.text.toLowerCase() : "";
}

function joinItems(texts: QueryTexts, source: QuerySource): ClauseItem[] {
  const conditions = source.on.flatMap((on) => conditionItems(texts, on));
  const using = [...new Set(source.using.map((name) => name.toLowerCase()))].sort();
  if (source.join === "join" || source.join === "") {
    const columns = using.map((name) => ({ text: `using ${name}`, literals: [] }));
    return [...conditions.map((item) => ({ ...item, text: `on ${item.text}` })), ...columns];
  }
  const table = texts.item(source);
  const on = conditions.length === 0 ? "" : ` on ${conditions.map((item) => item.text).join(" and ")}`;
  const columns = using.length === 0 ? "" : ` using ${using.join(", ")}`;
  return [
    {
      text: `${source.join} ${table.text}${on}${columns}`,
      literals: [...table.literals, ...conditions.flatMap((item) => item.literals)],
    },
  ];
}

function orderTerms(texts: QueryTexts, stretch: Stretch | undefined): OrderTerm[] {
  if (stretch === undefined) return [];
  return texts.split(stretch).flatMap(({ start, end }) => {
    let direction = end - 1;
    if (wordAt(texts, direction - 1) === "nulls") direction -= 2;
    const word = wordAt(texts, direction);
    const isDirected = direction > start && (word === "asc" || word === "desc");
    const term = texts.item({ start, end: isDirected ? direction : direction + 1 });
    if (term.text === "") return [];
    const nulls = direction < end - 1 ? ` nulls ${wordAt(texts, end - 1)}` : "";
    return [{ ...term, text: `${term.text}${nulls}`, isDescending: isDirected && word === "desc" }];
  });
}

function callsOf(texts: QueryTexts): { aggregates: string[]; functions: string[] } {
  const aggregates = new Set<string>();
  const functions = new Set<string>();
  for (const [index, unit] of texts.units.entries()) {
    if (!unit.isCall) continue;
    functions.add(unit.text);
    if (!AGGREGATES.has(unit.text) || wordAt(texts, texts.after(index + 1)) === "over") continue;
    const call = { start: index, end: texts.after(index + 1) };
    const isScalar = unit.text === "min" || unit.text === "max";
    if (isScalar && texts.split({ start: index + 2, end: call.end - 1 }).length > 1) continue;
    const isLong = call.end - call.start > MAX_CALL;
    aggregates.add(isLong ? `${unit.text}(…)` : texts.item(call).text);
  }
  return { aggregates: [...aggregates], functions: [...functions] };
}
