import { GradusError } from "../core/errors.ts";
import {
  SPIDER_AGGREGATES,
  SPIDER_ARITHMETIC_OPERATORS,
  SPIDER_CONDITION_OPERATORS,
  SPIDER_SET_OPERATORS,
} from "./spider-query.ts";
import type {
  SpiderColumnUnit,
  SpiderCondition,
  SpiderConditionList,
  SpiderConnector,
  SpiderDirection,
  SpiderFrom,
  SpiderOrderBy,
  SpiderQuery,
  SpiderSelect,
  SpiderSelectItem,
  SpiderTableUnit,
  SpiderValue,
  SpiderValueUnit,
} from "./spider-query.ts";
import { parsePythonFloat, parsePythonInteger } from "./python-numbers.ts";
import { SpiderNames } from "./spider-names.ts";
import type { SpiderSchema } from "./spider-names.ts";
import { spiderTokens } from "./spider-tokens.ts";

export interface SpiderParserOptions {
  /**
   * `integer` (default) is Spider's parser, which refuses any other limit; `any-token` is the test suite's, which takes
   * whatever token follows LIMIT and stores 1.
   */
  readonly limit?: "integer" | "any-token";
}

export type SpiderRefusal =
  | "unbalanced_quotes"
  | "alias_is_table"
  | "unknown_table"
  | "unknown_column"
  | "unexpected_token"
  | "unexpected_end"
  | "limit_not_integer"
  | "nesting_too_deep";

export type SpiderParseResult =
  | { readonly ok: true; readonly query: SpiderQuery }
  | { readonly ok: false; readonly reason: SpiderRefusal; readonly message: string };

/** Queries inside queries, set operation branches included, beyond which a text is refused. */
const MAX_NESTED_QUERIES = 200;

const CLAUSE_WORDS: ReadonlySet<string> = new Set([
  "select",
  "from",
  "where",
  "group",
  "order",
  "limit",
  ...SPIDER_SET_OPERATORS,
]);
const CLAUSE_ENDS: ReadonlySet<string> = new Set([...CLAUSE_WORDS, ")", ";"]);
const CONDITION_ENDS: ReadonlySet<string> = new Set([...CLAUSE_ENDS, "join", "on", "as"]);
const COLUMN_VALUE_ENDS: ReadonlySet<string> = new Set([
  ...CLAUSE_WORDS,
  "join",
  "on",
  "as",
  ",",
  ")",
  "and",
]);

/**
 * Parses `sql` in Spider's grammar, which is much smaller than SQL and keeps quirks of its own: aliases are one map for
 * the whole text, commas between items are optional, and what follows the point where the fixed order of clauses (from,
 * where, group by, having, order by, limit, set operation) stops matching is ignored. Anything else is a refusal; the
 * function never throws.
 *
 * @paper Spider (Yu et al. 2018), official evaluation: SQL parser
 */
export function parseSpiderQuery(
  sql: string,
  schema: SpiderSchema,
  options: SpiderParserOptions = {},
): SpiderParseResult {
  const tokens = spiderTokens(sql);
  if (tokens === undefined) {
    const message =
      "The query has an odd number of quotation marks; every string needs an opening and a closing one.";
    return { ok: false, reason: "unbalanced_quotes", message };
  }
  return new SpiderParser(tokens, schema, options.limit ?? "integer").parse();
}

class SpiderParser {
  private readonly names: SpiderNames;
  private index = 0;
  private end: number;
  private reason: SpiderRefusal = "unexpected_token";
  private readonly tokens: readonly string[];
  private readonly limitForm: "integer" | "any-token";

  constructor(tokens: readonly string[], schema: SpiderSchema, limitForm: "integer" | "any-token") {
    this.tokens = tokens;
    this.end = tokens.length;
    this.limitForm = limitForm;
    this.names = new SpiderNames(schema, tokens);
  }

  parse(): SpiderParseResult {
    try {
      this.checkAliases();
      return { ok: true, query: this.query(0) };
    } catch (thrown) {
      if (!(thrown instanceof GradusError)) throw thrown;
      return { ok: false, reason: this.reason, message: thrown.message };
    }
  }

  private checkAliases(): void {
    if (this.tokens.at(-1) === "as") this.refuseEnd("the name after AS");
    const table = this.names.tableUsedAsAlias;
    if (table !== undefined) {
      this.refuse("alias_is_table", `The alias ${JSON.stringify(table)} is also the name of a table.`);
    }
  }

  private query(depth: number): SpiderQuery {
    if (depth > MAX_NESTED_QUERIES) {
      this.refuse("nesting_too_deep", `The query nests more than ${MAX_NESTED_QUERIES} queries.`);
    }
    const isBlock = this.takeIf("(");
    const selectStart = this.index;
    // The select list needs FROM's tables for its unqualified columns.
    this.index = this.tokens.indexOf("from", selectStart);
    if (this.index === -1) this.refuse("unexpected_end", "The query has no FROM.");
    this.index += 1;
    const { from, defaultTables } = this.from(depth);
    const fromEnd = this.index;
    this.index = selectStart;
    const select = this.select(defaultTables);
    this.index = fromEnd;
    const where = this.takeIf("where") ? this.conditions(defaultTables, depth) : [];
    const groupBy = this.groupBy(defaultTables);
    const having = this.takeIf("having") ? this.conditions(defaultTables, depth) : [];
    const orderBy = this.orderBy(defaultTables);
    const limit = this.limit();
    this.skipSemicolons();
    if (isBlock) this.take(")");
    this.skipSemicolons();
    return { select, from, where, groupBy, having, orderBy, limit, ...this.setOperation(depth) };
  }

  private setOperation(depth: number): Pick<SpiderQuery, "intersect" | "union" | "except"> {
    const branches = { intersect: null, union: null, except: null };
    const operator = SPIDER_SET_OPERATORS.find((candidate) => candidate === this.peek());
    if (operator === undefined) return branches;
    this.index += 1;
    return { ...branches, [operator]: this.query(depth + 1) };
  }

  private from(depth: number): { from: SpiderFrom; defaultTables: readonly string[] } {
    const defaultTables: string[] = [];
    const tableUnits: SpiderTableUnit[] = [];
    const conditions: (SpiderCondition | SpiderConnector)[] = [];
    while (this.index < this.end) {
      const isBlock = this.takeIf("(");
      if (this.current("a table") === "select") {
        tableUnits.push({ kind: "query", query: this.query(depth + 1) });
      } else {
        this.takeIf("join");
        const table = this.table();
        tableUnits.push({ kind: "table", table });
        defaultTables.push(table);
      }
      if (this.takeIf("on")) {
        const joined = this.conditions(defaultTables, depth);
        if (conditions.length > 0) conditions.push("and");
        conditions.push(...joined);
      }
      if (isBlock) this.take(")");
      if (this.endsClause()) break;
    }
    return { from: { tableUnits, conditions }, defaultTables };
  }

  private table(): string {
    const token = this.current("a table");
    const table = this.names.table(token);
    if (table === undefined) {
      this.refuse("unknown_table", `${JSON.stringify(token)} is no table of the schema and no alias of one.`);
    }
    this.index += 1;
    if (this.peek() === "as") this.index += 2;
    return table;
  }

  private select(defaultTables: readonly string[]): SpiderSelect {
    this.take("select");
    const isDistinct = this.takeIf("distinct");
    const items: SpiderSelectItem[] = [];
    for (let token = this.peek(); token !== undefined && !CLAUSE_WORDS.has(token); token = this.peek()) {
      const aggregate = SPIDER_AGGREGATES.find((candidate) => candidate === token);
      if (aggregate !== undefined) this.index += 1;
      items.push({ aggregate: aggregate ?? "none", valueUnit: this.valueUnit(defaultTables) });
      this.takeIf(",");
    }
    return { isDistinct, items };
  }

  private groupBy(defaultTables: readonly string[]): SpiderColumnUnit[] {
    const units: SpiderColumnUnit[] = [];
    if (!this.takeIf("group")) return units;
    this.take("by");
    while (this.index < this.end && !this.endsClause()) {
      units.push(this.columnUnit(defaultTables));
      if (!this.takeIf(",")) break;
    }
    return units;
  }

  private orderBy(defaultTables: readonly string[]): SpiderOrderBy | null {
    if (!this.takeIf("order")) return null;
    this.take("by");
    const valueUnits: SpiderValueUnit[] = [];
    let direction: SpiderDirection = "asc";
    while (this.index < this.end && !this.endsClause()) {
      valueUnits.push(this.valueUnit(defaultTables));
      if (this.takeIf("desc")) direction = "desc";
      else if (this.takeIf("asc")) direction = "asc";
      if (!this.takeIf(",")) break;
    }
    return { direction, valueUnits };
  }

  private limit(): number | null {
    if (!this.takeIf("limit")) return null;
    const token = this.current("a row count");
    this.index += 1;
    if (this.limitForm === "any-token") return 1;
    const limit = parsePythonInteger(token);
    if (limit === undefined) {
      this.refuse("limit_not_integer", `LIMIT got ${JSON.stringify(token)}, expected an integer.`);
    }
    return limit;
  }

  private conditions(defaultTables: readonly string[], depth: number): SpiderConditionList {
    const items: (SpiderCondition | SpiderConnector)[] = [];
    while (this.index < this.end) {
      items.push(this.condition(defaultTables, depth));
      const next = this.peek();
      if (next !== undefined && CONDITION_ENDS.has(next)) break;
      if (next === "and" || next === "or") {
        items.push(next);
        this.index += 1;
      }
    }
    return items;
  }

  private condition(defaultTables: readonly string[], depth: number): SpiderCondition {
    const valueUnit = this.valueUnit(defaultTables);
    const isNegated = this.takeIf("not");
    const token = this.current("a comparison");
    const operator = SPIDER_CONDITION_OPERATORS.find((candidate) => candidate === token);
    if (operator === undefined) this.refuseToken("a comparison");
    this.index += 1;
    const value1 = this.value(defaultTables, depth);
    if (operator !== "between") return { isNegated, operator, valueUnit, value1, value2: null };
    this.take("and");
    return { isNegated, operator, valueUnit, value1, value2: this.value(defaultTables, depth) };
  }

  private value(defaultTables: readonly string[], depth: number): SpiderValue {
    const start = this.index;
    const isBlock = this.takeIf("(");
    const token = this.current("a value");
    const number = parsePythonFloat(token);
    let value: SpiderValue;
    if (token === "select") {
      value = { kind: "query", query: this.query(depth + 1) };
    } else if (token.includes('"')) {
      this.index += 1;
      value = { kind: "string", text: token };
    } else if (number !== undefined) {
      this.index += 1;
      value = { kind: "number", value: number };
    } else {
      value = { kind: "column", unit: this.columnValue(start, defaultTables) };
    }
    if (isBlock) this.take(")");
    return value;
  }

  /** A column is read from the start of a stretch of tokens; the rest of the stretch is dropped. */
  private columnValue(start: number, defaultTables: readonly string[]): SpiderColumnUnit {
    let stretchEnd = this.index;
    while (stretchEnd < this.end && !COLUMN_VALUE_ENDS.has(this.tokens[stretchEnd] ?? "")) stretchEnd += 1;
    const wholeEnd = this.end;
    this.index = start;
    this.end = stretchEnd;
    const unit = this.columnUnit(defaultTables);
    this.index = stretchEnd;
    this.end = wholeEnd;
    return unit;
  }

  private valueUnit(defaultTables: readonly string[]): SpiderValueUnit {
    const isBlock = this.takeIf("(");
    const left = this.columnUnit(defaultTables);
    const token = this.peek();
    const operator = SPIDER_ARITHMETIC_OPERATORS.find((candidate) => candidate === token);
    let right: SpiderColumnUnit | null = null;
    if (operator !== undefined) {
      this.index += 1;
      right = this.columnUnit(defaultTables);
    }
    if (isBlock) this.take(")");
    return { operator: operator ?? "none", left, right };
  }

  private columnUnit(defaultTables: readonly string[]): SpiderColumnUnit {
    const isBlock = this.takeIf("(");
    const token = this.current("a column");
    const aggregate = SPIDER_AGGREGATES.find((candidate) => candidate === token);
    if (aggregate === undefined) {
      const isDistinct = this.takeIf("distinct");
      const column = this.column(defaultTables);
      if (isBlock) this.take(")");
      return { aggregate: "none", column, isDistinct };
    }
    // After an aggregate the outer parenthesis stays open, for the caller to trip over.
    this.index += 1;
    this.take("(");
    const isDistinct = this.takeIf("distinct");
    const column = this.column(defaultTables);
    this.take(")");
    return { aggregate, column, isDistinct };
  }

  private column(defaultTables: readonly string[]): string {
    const token = this.current("a column");
    this.index += 1;
    return (
      this.names.column(token, defaultTables) ??
      this.refuse("unknown_column", `${JSON.stringify(token)} is no column of a table in FROM.`)
    );
  }

  private skipSemicolons(): void {
    while (this.takeIf(";"));
  }

  private endsClause(): boolean {
    return CLAUSE_ENDS.has(this.peek() ?? "");
  }

  private peek(): string | undefined {
    return this.index < this.end ? this.tokens[this.index] : undefined;
  }

  private current(expected: string): string {
    return this.peek() ?? this.refuseEnd(expected);
  }

  private takeIf(token: string): boolean {
    if (this.peek() !== token) return false;
    this.index += 1;
    return true;
  }

  private take(token: string): void {
    if (this.current(JSON.stringify(token)) !== token) this.refuseToken(JSON.stringify(token));
    this.index += 1;
  }

  private refuseToken(expected: string): never {
    return this.refuse("unexpected_token", `Got ${JSON.stringify(this.peek())}, expected ${expected}.`);
  }

  private refuseEnd(expected: string): never {
    return this.refuse(
      "unexpected_end",
      `The query (or this part of it) ends where ${expected} is expected.`,
    );
  }

  private refuse(reason: SpiderRefusal, message: string): never {
    this.reason = reason;
    throw new GradusError("SPIDER_PARSE_REFUSED", message);
  }
}
