import type { ClauseItem } from "./query-texts.ts";

/** Two columns of two tables that a query puts equal, in ON or in WHERE. */
export interface JoinKey {
  /** How the query's items tell the tables, by code unit: `ferry`, `ferry#2`, `#1`. */
  readonly tables: readonly [string, string];
  /** `crossing.ferry_id = ferry.id`, the sides by code unit. */
  readonly text: string;
}

/** A pair of tables that both sides join, on other columns: all that either side has for the pair. */
export interface JoinChange {
  readonly tables: readonly [string, string];
  readonly gold: readonly string[];
  readonly predicted: readonly string[];
}

const NAME = String.raw`"(?:[^"]|"")+"|[^\s"().,?]+`;
const KEY = new RegExp(`^(${NAME})\\.(?:${NAME}) = (${NAME})\\.(?:${NAME})$`, "u");

/** The comparisons among some that put columns of two tables equal. A column that is told without its table is of none. */
export function joinKeys(conditions: readonly ClauseItem[]): JoinKey[] {
  return conditions.flatMap(({ text }) => {
    const [, left, right] = KEY.exec(text) ?? [];
    if (left === undefined || right === undefined || left === right) return [];
    return [{ tables: left < right ? [left, right] : [right, left], text }];
  });
}

/** The pairs of tables that both queries join, but on other columns, in gold's order. */
export function joinChanges(gold: readonly JoinKey[], predicted: readonly JoinKey[]): JoinChange[] {
  const left = byTables(gold);
  const right = byTables(predicted);
  return [...left].flatMap(([pair, { tables, texts }]) => {
    const other = right.get(pair)?.texts;
    if (other === undefined || (other.size === texts.size && [...texts].every((text) => other.has(text)))) {
      return [];
    }
    return [{ tables, gold: [...texts].sort(), predicted: [...other].sort() }];
  });
}

interface PairKeys {
  readonly tables: JoinKey["tables"];
  readonly texts: Set<string>;
}

function byTables(keys: readonly JoinKey[]): Map<string, PairKeys> {
  const pairs = new Map<string, PairKeys>();
  for (const { tables, text } of keys) {
    const pair = tables.join(" ");
    const known = pairs.get(pair);
    if (known === undefined) pairs.set(pair, { tables, texts: new Set([text]) });
    else known.texts.add(text);
  }
  return pairs;
}
