/** `none` is also a word of the grammar: `none(x)` is a column without an aggregate. */
export const SPIDER_AGGREGATES = ["none", "max", "min", "count", "sum", "avg"] as const;
export type SpiderAggregate = (typeof SPIDER_AGGREGATES)[number];

export const SPIDER_ARITHMETIC_OPERATORS = ["none", "-", "+", "*", "/"] as const;
export type SpiderArithmeticOperator = (typeof SPIDER_ARITHMETIC_OPERATORS)[number];

export const SPIDER_CONDITION_OPERATORS = [
  "not",
  "between",
  "=",
  ">",
  "<",
  ">=",
  "<=",
  "!=",
  "in",
  "like",
  "is",
  "exists",
] as const;
export type SpiderConditionOperator = (typeof SPIDER_CONDITION_OPERATORS)[number];

export const SPIDER_SET_OPERATORS = ["intersect", "union", "except"] as const;
export type SpiderSetOperator = (typeof SPIDER_SET_OPERATORS)[number];

export type SpiderConnector = "and" | "or";
export type SpiderDirection = "asc" | "desc";

/** The column of `*`. */
export const SPIDER_ALL_COLUMNS = "*";

export interface SpiderColumnUnit {
  readonly aggregate: SpiderAggregate;
  /** `table.column` in lower case, aliases resolved, or `SPIDER_ALL_COLUMNS`. */
  readonly column: string;
  readonly isDistinct: boolean;
}

/** `left`, or `left operator right`; `right` is null exactly where `operator` is `none`. */
export interface SpiderValueUnit {
  readonly operator: SpiderArithmeticOperator;
  readonly left: SpiderColumnUnit;
  readonly right: SpiderColumnUnit | null;
}

export interface SpiderSelectItem {
  readonly aggregate: SpiderAggregate;
  readonly valueUnit: SpiderValueUnit;
}

export interface SpiderSelect {
  readonly isDistinct: boolean;
  readonly items: readonly SpiderSelectItem[];
}

/** `text` of a string keeps its case and the double quotes around it. */
export type SpiderValue =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "string"; readonly text: string }
  | { readonly kind: "column"; readonly unit: SpiderColumnUnit }
  | { readonly kind: "query"; readonly query: SpiderQuery };

export interface SpiderCondition {
  /** Whether `NOT` stands before the operator. */
  readonly isNegated: boolean;
  readonly operator: SpiderConditionOperator;
  readonly valueUnit: SpiderValueUnit;
  readonly value1: SpiderValue;
  /** The upper end of `between`, else null. */
  readonly value2: SpiderValue | null;
}

/**
 * Conditions and connectors in the order of the text. The grammar asks for no connector between two conditions and
 * lets one end the list, so `conditionsOf` and `connectorsOf` go by position, as the official metric does.
 */
export type SpiderConditionList = readonly (SpiderCondition | SpiderConnector)[];

export type SpiderTableUnit =
  | { readonly kind: "table"; readonly table: string }
  | { readonly kind: "query"; readonly query: SpiderQuery };

export interface SpiderFrom {
  readonly tableUnits: readonly SpiderTableUnit[];
  /** The conditions of every `ON`, joined by `and`. */
  readonly conditions: SpiderConditionList;
}

/** The single direction is the last one the text gives, `asc` without any. */
export interface SpiderOrderBy {
  readonly direction: SpiderDirection;
  readonly valueUnits: readonly SpiderValueUnit[];
}

/** A query of Spider's grammar; absent clauses are empty lists or null. */
export interface SpiderQuery {
  readonly select: SpiderSelect;
  readonly from: SpiderFrom;
  readonly where: SpiderConditionList;
  readonly groupBy: readonly SpiderColumnUnit[];
  readonly having: SpiderConditionList;
  readonly orderBy: SpiderOrderBy | null;
  /** The row count; 1 for every limit where the parser took any token for it. */
  readonly limit: number | null;
  readonly intersect: SpiderQuery | null;
  readonly union: SpiderQuery | null;
  readonly except: SpiderQuery | null;
}

/** The items at even positions that are conditions. */
export function conditionsOf(list: SpiderConditionList): SpiderCondition[] {
  return list.filter((item, index): item is SpiderCondition => index % 2 === 0 && typeof item !== "string");
}

/** The items at odd positions that are connectors. */
export function connectorsOf(list: SpiderConditionList): SpiderConnector[] {
  return list.filter((item, index): item is SpiderConnector => index % 2 === 1 && typeof item === "string");
}
