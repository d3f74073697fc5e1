import type { SpiderKeyClasses } from "./spider-key-classes.ts";
import { conditionsOf } from "./spider-query.ts";
import type {
  SpiderColumnUnit,
  SpiderCondition,
  SpiderConditionList,
  SpiderQuery,
  SpiderValue,
  SpiderValueUnit,
} from "./spider-query.ts";

/** In the place of a value that does not count: no string of a query has an empty text, the quotes belong to it. */
export const REMOVED_SPIDER_VALUE: SpiderValue = { kind: "string", text: "" };

/**
 * `query` as exact match compares it, in three steps:
 *
 * - Values of conditions that are no queries are removed, column operands included; also inside the queries that are
 *   values, and in the branches of set operations.
 * - Columns whose table is in the FROM of the outermost query become those that stand for their class. Set operation
 *   branches go by the same tables; queries that are values keep their columns.
 * - DISTINCT is dropped where columns are replaced, and kept in queries that are values.
 *
 * Queries in FROM stay as they are. Only conditions at even places of a list are touched.
 */
export function comparableSpiderQuery(query: SpiderQuery, classes: SpiderKeyClasses): SpiderQuery {
  const tables = new Set(
    query.from.tableUnits.flatMap((unit) => (unit.kind === "table" ? [unit.table] : [])),
  );
  const representativeOf = (column: string): string =>
    tables.has(column.split(".")[0] ?? "") ? (classes.get(column) ?? column) : column;
  return withColumns(withoutValues(query), representativeOf);
}

/** Whether a connector stands at the place of a condition, on which the official rewriting stops with an error. */
export function hasMisplacedConnector(query: SpiderQuery): boolean {
  const lists = [query.from.conditions, query.where, query.having];
  const nested = lists
    .flatMap(conditionsOf)
    .flatMap(({ value1, value2 }) => [value1, value2])
    .flatMap((value) => (value?.kind === "query" ? [value.query] : []));
  const branches = [query.intersect, query.except, query.union].filter((branch) => branch !== null);
  return (
    lists.some((list) => list.some((item, index) => index % 2 === 0 && typeof item === "string")) ||
    [...nested, ...branches].some(hasMisplacedConnector)
  );
}

function withoutValues(query: SpiderQuery): SpiderQuery {
  return {
    ...query,
    from: { ...query.from, conditions: mapConditions(query.from.conditions, withoutOwnValues) },
    where: mapConditions(query.where, withoutOwnValues),
    having: mapConditions(query.having, withoutOwnValues),
    intersect: query.intersect === null ? null : withoutValues(query.intersect),
    except: query.except === null ? null : withoutValues(query.except),
    union: query.union === null ? null : withoutValues(query.union),
  };
}

function withoutOwnValues(condition: SpiderCondition): SpiderCondition {
  const { value1, value2 } = condition;
  return {
    ...condition,
    value1: comparableValue(value1),
    value2: value2 === null ? null : comparableValue(value2),
  };
}

function comparableValue(value: SpiderValue): SpiderValue {
  return value.kind === "query" ? { kind: "query", query: withoutValues(value.query) } : REMOVED_SPIDER_VALUE;
}

function withColumns(query: SpiderQuery, representativeOf: (column: string) => string): SpiderQuery {
  const columnUnit = (unit: SpiderColumnUnit): SpiderColumnUnit => ({
    ...unit,
    column: representativeOf(unit.column),
    isDistinct: false,
  });
  const valueUnit = ({ operator, left, right }: SpiderValueUnit): SpiderValueUnit => ({
    operator,
    left: columnUnit(left),
    right: right === null ? null : columnUnit(right),
  });
  const condition = (one: SpiderCondition): SpiderCondition => ({
    ...one,
    valueUnit: valueUnit(one.valueUnit),
  });
  const branch = (one: SpiderQuery | null): SpiderQuery | null =>
    one === null ? null : withColumns(one, representativeOf);
  const { select, from, orderBy } = query;
  return {
    select: {
      isDistinct: false,
      items: select.items.map((item) => ({ ...item, valueUnit: valueUnit(item.valueUnit) })),
    },
    from: { ...from, conditions: mapConditions(from.conditions, condition) },
    where: mapConditions(query.where, condition),
    groupBy: query.groupBy.map(columnUnit),
    having: mapConditions(query.having, condition),
    orderBy: orderBy === null ? null : { ...orderBy, valueUnits: orderBy.valueUnits.map(valueUnit) },
    limit: query.limit,
    intersect: branch(query.intersect),
    union: branch(query.union),
    except: branch(query.except),
  };
}

function mapConditions(
  list: SpiderConditionList,
  change: (condition: SpiderCondition) => SpiderCondition,
): SpiderConditionList {
  return list.map((item, index) => (index % 2 === 0 && typeof item !== "string" ? change(item) : item));
}
