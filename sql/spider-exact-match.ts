import type { DatabaseSchema } from "../core/database.ts";
import { comparableSpiderQuery, hasMisplacedConnector } from "./spider-comparable.ts";
import { areSameSpiderParts, countSameSpiderParts, distinctSpiderParts } from "./spider-equality.ts";
import { spiderKeyClasses } from "./spider-key-classes.ts";
import { conditionsOf } from "./spider-query.ts";
import type { SpiderConditionList, SpiderQuery, SpiderTableUnit, SpiderValueUnit } from "./spider-query.ts";

/** The components of exact match under their official names; `group` is HAVING. */
export const SPIDER_COMPONENTS = [
  "select",
  "select(no AGG)",
  "where",
  "where(no OP)",
  "group(no Having)",
  "group",
  "order",
  "and/or",
  "IUEN",
  "keywords",
] as const;
export type SpiderComponent = (typeof SPIDER_COMPONENTS)[number];

/** One component: all or nothing, so accuracy, recall and F1 are 0 or 1 and the same. */
export interface SpiderComponentScore {
  readonly acc: number;
  readonly rec: number;
  readonly f1: number;
  /** Items of the gold, and of the prediction; `and/or` has them the other way round where it is 0. */
  readonly labelTotal: number;
  readonly predTotal: number;
}

export interface SpiderExactMatch {
  /** `null` where the official evaluation stops with an error instead of a verdict. */
  readonly exact: boolean | null;
  readonly partial: Readonly<Record<SpiderComponent, SpiderComponentScore>>;
}

/** What a prediction that does not parse counts as. */
export const EMPTY_SPIDER_QUERY: SpiderQuery = {
  select: { isDistinct: false, items: [] },
  from: { tableUnits: [], conditions: [] },
  where: [],
  groupBy: [],
  having: [],
  orderBy: null,
  limit: null,
  intersect: null,
  union: null,
  except: null,
};

/**
 * Spider's exact set match: whether all ten components are 1 and FROM has the same tables. Values, the number of
 * LIMIT, ON conditions and top-level DISTINCT do not count; columns joined by foreign keys are equal.
 *
 * There is no verdict (`exact` is null) where the official script stops: a side has two different queries in FROM and
 * everything else matches, a connector stands where a condition should, or a query is the value of a condition in
 * WHERE that follows another without a connector.
 *
 * @paper Spider (Yu et al. 2018), section 4.2 as the official evaluation computes it
 */
export function spiderExactMatch(
  gold: SpiderQuery,
  predicted: SpiderQuery,
  schema: Pick<DatabaseSchema, "tables" | "foreignKeys">,
): SpiderExactMatch {
  const classes = spiderKeyClasses(schema);
  const match = compare(comparableSpiderQuery(gold, classes), comparableSpiderQuery(predicted, classes));
  return hasMisplacedConnector(gold) || hasMisplacedConnector(predicted) ? { ...match, exact: null } : match;
}

function compare(gold: SpiderQuery, predicted: SpiderQuery): SpiderExactMatch {
  const branches = compareBranches(gold, predicted);
  const partial = {
    ...compareSelects(gold, predicted),
    ...compareWheres(gold, predicted),
    "group(no Having)": compareItems(groupNames(gold), groupNames(predicted)),
    group: compareHavings(gold, predicted),
    order: compareOrders(gold, predicted),
    "and/or": compareConnectors(gold, predicted),
    IUEN: branches.score,
    keywords: compareItems(keywordsOf(gold), keywordsOf(predicted)),
  };
  const stops = branches.stops || [gold, predicted].some(hasUnhashableConnector);
  const matches = SPIDER_COMPONENTS.every((component) => partial[component].f1 === 1);
  return {
    exact: stops ? null : matches && haveSameTables(gold.from.tableUnits, predicted.from.tableUnits),
    partial,
  };
}

function score(count: number, labelTotal: number, predTotal: number): SpiderComponentScore {
  const value = predTotal === labelTotal && count === predTotal ? 1 : 0;
  return { acc: value, rec: value, f1: value, labelTotal, predTotal };
}

function compareItems(gold: readonly unknown[], predicted: readonly unknown[]): SpiderComponentScore {
  return score(countSameSpiderParts(predicted, gold), gold.length, predicted.length);
}

function compareSelects(
  gold: SpiderQuery,
  predicted: SpiderQuery,
): Record<"select" | "select(no AGG)", SpiderComponentScore> {
  return {
    select: compareItems(gold.select.items, predicted.select.items),
    "select(no AGG)": compareItems(valueUnits(gold.select.items), valueUnits(predicted.select.items)),
  };
}

function compareWheres(
  gold: SpiderQuery,
  predicted: SpiderQuery,
): Record<"where" | "where(no OP)", SpiderComponentScore> {
  const expected = conditionsOf(gold.where);
  const found = conditionsOf(predicted.where);
  return {
    where: compareItems(expected, found),
    "where(no OP)": compareItems(valueUnits(expected), valueUnits(found)),
  };
}

function valueUnits(items: readonly { readonly valueUnit: SpiderValueUnit }[]): SpiderValueUnit[] {
  return items.map((item) => item.valueUnit);
}

/** The columns of GROUP BY without their aggregates. */
function groupColumns(query: SpiderQuery): string[] {
  return query.groupBy.map(({ column }) => column);
}

/** Their names, without their tables. */
function groupNames(query: SpiderQuery): string[] {
  return groupColumns(query).map((column) => column.split(".")[1] ?? column);
}

function compareHavings(gold: SpiderQuery, predicted: SpiderQuery): SpiderComponentScore {
  const labelTotal = gold.groupBy.length > 0 ? 1 : 0;
  const predTotal = predicted.groupBy.length > 0 ? 1 : 0;
  const isSame =
    labelTotal === 1 &&
    predTotal === 1 &&
    areSameSpiderParts(groupColumns(gold), groupColumns(predicted)) &&
    areSameSpiderParts(gold.having, predicted.having);
  return score(isSame ? 1 : 0, labelTotal, predTotal);
}

function compareOrders(gold: SpiderQuery, predicted: SpiderQuery): SpiderComponentScore {
  const isSame =
    gold.orderBy !== null &&
    areSameSpiderParts(gold.orderBy, predicted.orderBy) &&
    (gold.limit === null) === (predicted.limit === null);
  return score(isSame ? 1 : 0, gold.orderBy === null ? 0 : 1, predicted.orderBy === null ? 0 : 1);
}

function compareConnectors(gold: SpiderQuery, predicted: SpiderQuery): SpiderComponentScore {
  const goldSet = distinctSpiderParts(oddItems(gold.where));
  const predictedSet = distinctSpiderParts(oddItems(predicted.where));
  const isSame =
    goldSet.length === predictedSet.length &&
    countSameSpiderParts(predictedSet, goldSet) === predictedSet.length;
  return isSame ? score(1, 1, 1) : score(0, predictedSet.length, goldSet.length);
}

/** The items at the places of connectors: conditions, where the text has none between two of them. */
function oddItems(list: SpiderConditionList): SpiderConditionList {
  return list.filter((_, index) => index % 2 === 1);
}

function hasUnhashableConnector({ where }: SpiderQuery): boolean {
  return oddItems(where).some(
    (item) => typeof item !== "string" && [item.value1, item.value2].some((value) => value?.kind === "query"),
  );
}

function compareBranches(
  gold: SpiderQuery,
  predicted: SpiderQuery,
): { readonly score: SpiderComponentScore; readonly stops: boolean } {
  const pairs = (["intersect", "except", "union"] as const).map((operator) => ({
    gold: gold[operator],
    predicted: predicted[operator],
  }));
  const verdicts = pairs.flatMap((pair) =>
    pair.gold === null || pair.predicted === null ? [] : [compare(pair.gold, pair.predicted).exact],
  );
  return {
    score: score(
      verdicts.filter((exact) => exact === true).length,
      pairs.filter((pair) => pair.gold !== null).length,
      pairs.filter((pair) => pair.predicted !== null).length,
    ),
    stops: verdicts.includes(null),
  };
}

function keywordsOf(query: SpiderQuery): string[] {
  const lists = [query.from.conditions, query.where, query.having];
  const conditions = lists.flatMap(conditionsOf);
  const present: readonly (readonly [keyword: string, isPresent: boolean])[] = [
    ["where", query.where.length > 0],
    ["group", query.groupBy.length > 0],
    ["having", query.having.length > 0],
    ["order", query.orderBy !== null],
    [query.orderBy?.direction ?? "asc", query.orderBy !== null],
    ["limit", query.limit !== null],
    ["except", query.except !== null],
    ["union", query.union !== null],
    ["intersect", query.intersect !== null],
    ["or", lists.flatMap(oddItems).includes("or")],
    ["not", conditions.some((condition) => condition.isNegated)],
    ["in", conditions.some((condition) => condition.operator === "in")],
    ["like", conditions.some((condition) => condition.operator === "like")],
  ];
  return present.filter(([, isPresent]) => isPresent).map(([keyword]) => keyword);
}

/**
 * Whether FROM has the same tables and queries in any order; `null` where a side has two different queries, which the
 * official script cannot sort. A gold without tables is not compared.
 */
function haveSameTables(
  gold: readonly SpiderTableUnit[],
  predicted: readonly SpiderTableUnit[],
): boolean | null {
  if (gold.length === 0) return true;
  if ([gold, predicted].some(hasDifferentQueries)) return null;
  return gold.length === predicted.length && countSameSpiderParts(predicted, gold) === gold.length;
}

function hasDifferentQueries(units: readonly SpiderTableUnit[]): boolean {
  return distinctSpiderParts(units.filter((unit) => unit.kind === "query")).length > 1;
}
