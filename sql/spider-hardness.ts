import { conditionsOf, connectorsOf } from "./spider-query.ts";
import type { SpiderColumnUnit, SpiderCondition, SpiderQuery, SpiderValue } from "./spider-query.ts";

export const SPIDER_HARDNESS_LEVELS = ["easy", "medium", "hard", "extra"] as const;
export type SpiderHardness = (typeof SPIDER_HARDNESS_LEVELS)[number];

/**
 * Spider's hardness of a gold query, from the clauses, nested queries and repetitions of its top level.
 *
 * @paper Spider (Yu et al. 2018), section 4.3 as the official evaluation computes it, its counting of negated
 * conditions as aggregates included
 */
export function spiderHardness(query: SpiderQuery): SpiderHardness {
  const clauses = countClauses(query);
  const nested = countNestedQueries(query);
  const repeated = countRepetitions(query);
  if (clauses <= 1 && repeated === 0 && nested === 0) return "easy";
  if (nested === 0 && ((repeated <= 2 && clauses <= 1) || (clauses <= 2 && repeated < 2))) return "medium";
  const isHard =
    (nested === 0 && repeated > 2 && clauses <= 2) ||
    (nested === 0 && clauses === 3 && repeated <= 2) ||
    (clauses <= 1 && repeated === 0 && nested <= 1);
  return isHard ? "hard" : "extra";
}

function countClauses(query: SpiderQuery): number {
  const clauses = [
    query.where.length > 0,
    query.groupBy.length > 0,
    query.orderBy !== null,
    query.limit !== null,
  ].filter(Boolean).length;
  const joins = Math.max(0, query.from.tableUnits.length - 1);
  const lists = [query.from.conditions, query.where, query.having];
  const alternatives = lists.flatMap(connectorsOf).filter((connector) => connector === "or").length;
  const patterns = allConditions(query).filter((condition) => condition.operator === "like").length;
  return clauses + joins + alternatives + patterns;
}

function countNestedQueries(query: SpiderQuery): number {
  const values = allConditions(query).flatMap((condition): (SpiderValue | null)[] => [
    condition.value1,
    condition.value2,
  ]);
  const branches = [query.intersect, query.except, query.union].filter((branch) => branch !== null);
  return values.filter((value) => value?.kind === "query").length + branches.length;
}

/**
 * Counts what repeats. Two oddities of the official script are kept: a negated condition counts as an
 * aggregate, and so does every AND and OR of the HAVING clause.
 */
function countRepetitions(query: SpiderQuery): number {
  const orderUnits = (query.orderBy?.valueUnits ?? []).flatMap((unit): (SpiderColumnUnit | null)[] => [
    unit.left,
    unit.right,
  ]);
  const aggregates =
    query.select.items.filter((item) => item.aggregate !== "none").length +
    [...query.groupBy, ...orderUnits].filter((unit) => unit !== null && unit.aggregate !== "none").length +
    [...conditionsOf(query.where), ...conditionsOf(query.having)].filter((condition) => condition.isNegated)
      .length +
    connectorsOf(query.having).length;
  return [
    aggregates > 1,
    query.select.items.length > 1,
    query.where.length > 1,
    query.groupBy.length > 1,
  ].filter(Boolean).length;
}

function allConditions(query: SpiderQuery): SpiderCondition[] {
  return [query.from.conditions, query.where, query.having].flatMap(conditionsOf);
}
