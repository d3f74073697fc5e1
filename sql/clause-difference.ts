import { aggregateChanges } from "./aggregate-changes.ts";
import type { AggregateChange } from "./aggregate-changes.ts";
import type { Clauses, OrderTerm } from "./clauses.ts";
import { joinChanges } from "./join-keys.ts";
import type { JoinChange } from "./join-keys.ts";
import type { ClauseItem } from "./query-texts.ts";

export const COMPARED_CLAUSES = [
  "with",
  "select",
  "from",
  "joins",
  "where",
  "groupBy",
  "having",
  "window",
  "orderBy",
  "limit",
  "setOperations",
] as const;
export type ComparedClause = (typeof COMPARED_CLAUSES)[number];

/**
 * `absent` on both sides; `missing`: only gold has the clause; `extra`: only the prediction has it; `changed`: both
 * have it, with other items or, where the order of items counts, in another order.
 */
export type ClauseState = "absent" | "same" | "missing" | "extra" | "changed";

/** What one list has and the other has not, as multisets, in the order of the texts. */
export interface ListDifference {
  /** What only gold has. */
  readonly missing: readonly string[];
  /** What only the prediction has. */
  readonly extra: readonly string[];
}

/** An item that both sides have, with other literals. */
export interface ValueChange {
  readonly clause: ComparedClause;
  /** The item, `?` for each literal. */
  readonly item: string;
  readonly gold: readonly string[];
  readonly predicted: readonly string[];
}

/** A term of ORDER BY that both sides have, with another direction. */
export interface DirectionChange {
  readonly item: string;
  readonly gold: "asc" | "desc";
  readonly predicted: "asc" | "desc";
}

export interface ClauseDifference {
  /** Whether no clause differs; of two texts without clauses, whether they have the same literals and functions. */
  readonly isEmpty: boolean;
  readonly states: Readonly<Record<ComparedClause, ClauseState>>;
  /** Items with their literals filled in, for each clause. */
  readonly items: Readonly<Record<ComparedClause, ListDifference>>;
  readonly values: readonly ValueChange[];
  readonly directions: readonly DirectionChange[];
  /** Tables that both sides join, on other columns. */
  readonly joinChanges: readonly JoinChange[];
  readonly literals: ListDifference;
  readonly aggregates: ListDifference;
  /** The aggregates of `aggregates` that are of the same argument on both sides. */
  readonly aggregateChanges: readonly AggregateChange[];
  readonly functions: ListDifference;
  readonly tables: ListDifference;
  /** DISTINCT behind SELECT; inside an aggregate it is in `aggregateChanges`. */
  readonly distinct: "same" | "missing" | "extra";
  /** Both limits where they differ; `null` inside for none. */
  readonly limit: { readonly gold: string | null; readonly predicted: string | null } | null;
}

/** Clauses whose items give another result in another order. */
const ORDERED: ReadonlySet<ComparedClause> = new Set(["select", "orderBy", "setOperations"]);

/**
 * What a prediction's clauses have other than gold's. Two texts without a difference can still be different queries,
 * where what differs is no clause's item, such as on which side of EXCEPT a condition stands; a difference can be one
 * of spelling alone, such as a join for a subquery.
 */
export function clauseDifference(gold: Clauses, predicted: Clauses): ClauseDifference {
  const pairs = COMPARED_CLAUSES.map(
    (clause) => [clause, comparableItems(gold, clause), comparableItems(predicted, clause)] as const,
  );
  const record = <Value>(
    take: (clause: ComparedClause, left: readonly Comparable[], right: readonly Comparable[]) => Value,
  ): Record<ComparedClause, Value> =>
    Object.fromEntries(pairs.map(([clause, left, right]) => [clause, take(clause, left, right)])) as Record<
      ComparedClause,
      Value
    >;
  const states = record(stateOf);
  const aggregates = listDifference(gold.aggregates, predicted.aggregates);
  const difference = {
    states,
    items: record((_clause, left, right) => listDifference(left.map(shown), right.map(shown))),
    values: pairs.flatMap(([clause, left, right]) => valueChanges(clause, left, right)),
    directions: directionChanges(gold.orderBy, predicted.orderBy),
    joinChanges: joinChanges(gold.joinKeys, predicted.joinKeys),
    literals: listDifference(gold.literals, predicted.literals),
    aggregates,
    aggregateChanges: aggregateChanges(aggregates.missing, aggregates.extra),
    functions: listDifference(gold.functions, predicted.functions),
    tables: listDifference(gold.tables, predicted.tables),
    distinct: distinctState(gold.isDistinct, predicted.isDistinct),
    limit: limitChange(gold.limit, predicted.limit),
  };
  const told = Object.values(states);
  const isSame = told.every((state) => state === "same" || state === "absent");
  const hasNone = told.every((state) => state === "absent");
  const isEmpty =
    difference.distinct === "same" &&
    isSame &&
    (!hasNone || (isNone(difference.literals) && isNone(difference.functions)));
  return { isEmpty, ...difference };
}

/** An item with what sets it apart from its like. */
interface Comparable extends ClauseItem {
  readonly suffix: string;
}

function comparableItems(clauses: Clauses, clause: ComparedClause): readonly Comparable[] {
  if (clause === "setOperations") {
    return clauses.setOperations.map((text) => ({ text, literals: [], suffix: "" }));
  }
  if (clause === "orderBy") {
    return clauses.orderBy.map((term) => ({ ...term, suffix: term.isDescending ? " desc" : "" }));
  }
  const list = clause === "limit" ? (clauses.limit === null ? [] : [clauses.limit]) : clauses[clause];
  return list.map((item) => ({ ...item, suffix: "" }));
}

function shown(item: Comparable): string {
  return `${withLiterals(item)}${item.suffix}`;
}

/** The text of an item with its literals in their places. */
export function withLiterals({ text, literals }: ClauseItem): string {
  if (literals.length === 0) return text;
  const parts = text.split("?");
  let filled = parts[0] ?? "";
  for (const [index, part] of parts.slice(1).entries()) filled += `${literals[index] ?? "?"}${part}`;
  return filled;
}

function stateOf(
  clause: ComparedClause,
  left: readonly Comparable[],
  right: readonly Comparable[],
): ClauseState {
  if (left.length === 0 && right.length === 0) return "absent";
  if (right.length === 0) return "missing";
  if (left.length === 0) return "extra";
  const gold = left.map(shown);
  const predicted = right.map(shown);
  if (ORDERED.has(clause)) {
    return gold.length === predicted.length && gold.every((item, index) => item === predicted[index])
      ? "same"
      : "changed";
  }
  return isNone(listDifference(gold, predicted)) ? "same" : "changed";
}

function listDifference(gold: readonly string[], predicted: readonly string[]): ListDifference {
  return { missing: without(gold, predicted), extra: without(predicted, gold) };
}

function without(list: readonly string[], removed: readonly string[]): string[] {
  const left = new Map<string, number>();
  for (const item of removed) left.set(item, (left.get(item) ?? 0) + 1);
  return list.filter((item) => {
    const count = left.get(item) ?? 0;
    left.set(item, count - 1);
    return count <= 0;
  });
}

function isNone({ missing, extra }: ListDifference): boolean {
  return missing.length === 0 && extra.length === 0;
}

/** Items of one text whose literals differ, paired in their order once the equal ones are gone. */
function valueChanges(
  clause: ComparedClause,
  left: readonly Comparable[],
  right: readonly Comparable[],
): ValueChange[] {
  const extra = new Map<string, Comparable[]>();
  for (const item of unmatched(right, left).reverse()) {
    const others = extra.get(item.text);
    if (others === undefined) extra.set(item.text, [item]);
    else others.push(item);
  }
  return unmatched(left, right).flatMap((item) => {
    const other = extra.get(item.text)?.pop();
    if (other === undefined || withLiterals(other) === withLiterals(item)) return [];
    return [{ clause, item: item.text, gold: item.literals, predicted: other.literals }];
  });
}

function unmatched(list: readonly Comparable[], removed: readonly Comparable[]): Comparable[] {
  const left = new Map<string, number>();
  for (const item of removed) left.set(shown(item), (left.get(shown(item)) ?? 0) + 1);
  return list.filter((item) => {
    const count = left.get(shown(item)) ?? 0;
    left.set(shown(item), count - 1);
    return count <= 0;
  });
}

function directionChanges(gold: readonly OrderTerm[], predicted: readonly OrderTerm[]): DirectionChange[] {
  const directions = new Map(predicted.map((term) => [withLiterals(term), term.isDescending]));
  return gold.flatMap((term) => {
    const item = withLiterals(term);
    const other = directions.get(item);
    if (other === undefined || other === term.isDescending) return [];
    return [{ item, gold: directionName(term.isDescending), predicted: directionName(other) }];
  });
}

function directionName(isDescending: boolean): "asc" | "desc" {
  return isDescending ? "desc" : "asc";
}

function distinctState(gold: boolean, predicted: boolean): "same" | "missing" | "extra" {
  if (gold === predicted) return "same";
  return gold ? "missing" : "extra";
}

function limitChange(gold: ClauseItem | null, predicted: ClauseItem | null): ClauseDifference["limit"] {
  const left = gold && withLiterals(gold);
  const right = predicted && withLiterals(predicted);
  return left === right ? null : { gold: left, predicted: right };
}
