import type { DatabaseSchema } from "../core/database.ts";
import type {
  AggregateCall,
  Division,
  GoldFacts,
  JoinedColumns,
  ResultColumn,
  UsedSource,
} from "../core/gold-facts.ts";
import { foldName } from "./fold-name.ts";
import { wordOf } from "./lexer.ts";
import type { Token } from "./lexer.ts";
import { outermostQuery } from "./outermost-query.ts";
import type { OutermostQuery } from "./outermost-query.ts";
import { outlineTokens } from "./query-scan.ts";
import type { QueryOutline, QueryScope, Stretch } from "./query-parts.ts";
import { isReserved } from "./reserved-words.ts";
import { UsedColumns } from "./used-columns.ts";
import { usedLiterals } from "./used-literals.ts";

const AGGREGATES: ReadonlySet<string> = new Set("count sum avg total min max group_concat".split(" "));
const EQUALS: ReadonlySet<string> = new Set(["=", "=="]);
const REAL_TYPE = /real|floa|doub/i;

const NOTHING: GoldFacts = {
  isQuery: false,
  isPlain: false,
  setOperations: [],
  isDistinct: false,
  results: [],
  sources: [],
  rowsText: "",
  columns: [],
  groupedBy: [],
  isGrouped: false,
  orderedBy: [],
  limit: null,
  hasLimit: false,
  literals: [],
  joins: [],
  aggregates: [],
  divisions: [],
  functions: [],
  keywords: new Set(),
  hollow: [],
  countsElse: [],
  tables: [],
  unknownTables: [],
};

/** Gathers what the text of a gold says, by a schema. Never throws; time is about linear in the text. */
export function goldFacts(sql: string, schema: DatabaseSchema): GoldFacts {
  const query = outermostQuery(sql);
  if (query === null) return NOTHING;
  const reader = new FactsReader(query, schema);
  return reader.read();
}

class FactsReader {
  readonly #query: OutermostQuery;
  readonly #schema: DatabaseSchema;
  readonly #outline: QueryOutline;
  readonly #tokens: readonly Token[];
  readonly #columns: UsedColumns;

  constructor(query: OutermostQuery, schema: DatabaseSchema) {
    this.#query = query;
    this.#schema = schema;
    this.#outline = outlineTokens(query.tokens);
    this.#tokens = query.tokens;
    this.#columns = new UsedColumns(this.#outline, schema);
  }

  read(): GoldFacts {
    const { operators, distinct, limit } = this.#query;
    const first = this.#outline.statement.scopes[0];
    const isPlain = operators.length === 0 && wordOf(this.#tokens[0]) === "select";
    const aggregates = this.#aggregates();
    const named = this.#namedTables();
    return {
      isQuery: true,
      isPlain,
      setOperations: operators,
      isDistinct: distinct !== null,
      results: this.#results(aggregates),
      sources: first === undefined ? [] : this.#sources(first),
      rowsText: isPlain ? this.#query.sql.slice(this.#query.itemsEnd, this.#query.rowsEnd) : "",
      columns: this.#columns.all.map(({ column }) => column),
      groupedBy: this.#groupedBy(first),
      isGrouped: this.#query.groupBy.length > 0,
      orderedBy: this.#orderedBy(),
      limit: limit?.count ?? null,
      hasLimit: limit !== null,
      literals: usedLiterals(this.#outline, this.#columns),
      joins: this.#joins(),
      aggregates,
      divisions: this.#divisions(),
      functions: this.#functions(),
      keywords: this.#keywords(),
      hollow: this.#hollow(),
      countsElse: aggregates.flatMap((call) => this.#countsElse(call)),
      ...named,
    };
  }

  #results(aggregates: readonly AggregateCall[]): ResultColumn[] {
    return this.#query.items.map(({ text, tokens, isStar }) => {
      const start = tokens[0]?.start ?? 0;
      const end = tokens.at(-1)?.end ?? 0;
      return {
        text,
        column: this.#columns.only(this.#stretchAt(start, end)),
        aggregates: aggregates
          .filter((call) => call.start >= start && call.end <= end)
          .map(({ name }) => name),
        isStar,
      };
    });
  }

  #sources(scope: QueryScope): UsedSource[] {
    return scope.sources.map((source, place) => ({
      table: this.#columns.tableOf(source, scope)?.name ?? null,
      name: source.alias === "" ? source.name : source.alias,
      source: `${scope.index}.${place}`,
      join: source.join,
    }));
  }

  #groupedBy(scope: QueryScope | undefined): GoldFacts["groupedBy"] {
    const stretch = scope?.clauses.get("group");
    return stretch === undefined ? [] : this.#columns.within(stretch).map(({ column }) => column);
  }

  #orderedBy(): GoldFacts["orderedBy"] {
    return this.#query.orderBy.map(({ text, tokens }) => {
      const end = tokens.at(-1)?.end ?? 0;
      const behind = this.#tokens[this.#indexAt(end)];
      const stretch = this.#stretchAt(tokens[0]?.start ?? 0, end);
      return { text, isDescending: wordOf(behind) === "desc", column: this.#columns.only(stretch) };
    });
  }

  /** The first token that starts at an offset of the text, or behind it. */
  #indexAt(offset: number): number {
    let [low, high] = [0, this.#tokens.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#tokens[middle] as Token).start < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #stretchAt(start: number, end: number): Stretch {
    return { start: this.#indexAt(start), end: this.#indexAt(end) };
  }

  #joins(): JoinedColumns[] {
    return this.#tokens.flatMap((token, index) => {
      if (!EQUALS.has(token.text)) return [];
      const left = this.#columns.endingAt(index);
      const right = this.#columns.startingAt(index + 1);
      if (left === undefined || right === undefined || this.#isPartOfSum(left, right)) return [];
      return left.column.source === right.column.source ? [] : [{ left: left.column, right: right.column }];
    });
  }

  /** Whether a side of a comparison goes on beyond its column. */
  #isPartOfSum(left: Stretch, right: Stretch): boolean {
    return [this.#tokens[left.start - 1], this.#tokens[right.end]].some(
      (beside) => beside?.kind === "operator" && !EQUALS.has(beside.text),
    );
  }

  #aggregates(): AggregateCall[] {
    const tokens = this.#tokens;
    return tokens.flatMap((token, index): AggregateCall[] => {
      const name = wordOf(token);
      if (!AGGREGATES.has(name) || tokens[index + 1]?.text !== "(") return [];
      const close = this.#closing(index + 1);
      const isDistinct = wordOf(tokens[index + 2]) === "distinct";
      const stretch = { start: index + (isDistinct ? 3 : 2), end: close };
      if (stretch.end <= stretch.start || wordOf(tokens[close + 1]) === "over") return [];
      const isScalar = (name === "min" || name === "max") && this.#hasComma(stretch);
      if (isScalar) return [];
      const argument = this.#query.sql.slice(tokens[stretch.start]?.start, tokens[close - 1]?.end);
      return [
        {
          name,
          isDistinct,
          argument,
          column: this.#columns.only(stretch),
          columns: this.#columns.within(stretch).map(({ column }) => column),
          start: token.start,
          end: tokens[close]?.end ?? token.end,
          isOutermost: this.#outline.scopeOf[index] === this.#outline.statement.scopes[0],
        },
      ];
    });
  }

  #hasComma({ start, end }: Stretch): boolean {
    let depth = 0;
    for (let index = start; index < end; index += 1) {
      const text = this.#tokens[index]?.text;
      if (text === "(") depth += 1;
      if (text === ")") depth -= 1;
      if (text === "," && depth === 0) return true;
    }
    return false;
  }

  #closing(open: number): number {
    let depth = 0;
    for (let index = open; index < this.#tokens.length; index += 1) {
      const text = this.#tokens[index]?.text;
      if (text === "(") depth += 1;
      if (text === ")") depth -= 1;
      if (depth === 0) return index;
    }
    return this.#tokens.length;
  }

  #opening(close: number): number {
    let depth = 0;
    for (let index = close; index >= 0; index -= 1) {
      const text = this.#tokens[index]?.text;
      if (text === ")") depth += 1;
      if (text === "(") depth -= 1;
      if (depth === 0) return index;
    }
    return 0;
  }

  #divisions(): Division[] {
    return this.#tokens.flatMap((token, index): Division[] => {
      if (token.text !== "/") return [];
      const left = this.#operandBefore(index);
      const right = this.#operandBehind(index);
      const { start, end } = token;
      const text = this.#query.sql.slice(this.#tokens[left.start]?.start, this.#tokens[right.end - 1]?.end);
      return [{ isReal: this.#isReal(left) || this.#isReal(right), start, end, text }];
    });
  }

  /** The product before an operator: `CAST(x AS REAL) * 100` of `CAST(x AS REAL) * 100 / y`. */
  #operandBefore(index: number): Stretch {
    let start = index;
    for (;;) {
      start = this.#factorBefore(start);
      const operator = this.#tokens[start - 1]?.text;
      if (operator !== "*" && operator !== "/") break;
      start -= 1;
    }
    return { start, end: index };
  }

  #factorBefore(end: number): number {
    const last = this.#tokens[end - 1];
    if (last?.text === ")") {
      const open = this.#opening(end - 1);
      const called = this.#tokens[open - 1];
      const isCall = called?.kind === "word" && (!isReserved(wordOf(called)) || wordOf(called) === "cast");
      return isCall ? open - 1 : open;
    }
    return this.#columns.endingAt(end)?.start ?? Math.max(0, end - 1);
  }

  #operandBehind(index: number): Stretch {
    const start = index + 1;
    const first = this.#tokens[start];
    if (first?.text === "(") return { start, end: this.#closing(start) + 1 };
    if (this.#tokens[start + 1]?.text === "(") return { start, end: this.#closing(start + 1) + 1 };
    return { start, end: this.#columns.startingAt(start)?.end ?? start + 1 };
  }

  #isReal({ start, end }: Stretch): boolean {
    for (let index = start; index < end; index += 1) {
      const token = this.#tokens[index] as Token;
      const word = wordOf(token);
      if (token.kind === "number" && /[.eE]/.test(token.text)) return true;
      if (
        word === "real" ||
        word === "float" ||
        word === "double" ||
        word === "decimal" ||
        word === "numeric"
      )
        return true;
      if (word === "avg" || word === "total" || word === "round" || word === "julianday") return true;
    }
    return this.#columns
      .within({ start, end })
      .some(({ column }) => !this.#isInteger(column.table, column.column));
  }

  /** Whether a column holds integers by its declared type; a column that is counted is one by its count, not its type. */
  #isInteger(table: string | null, name: string): boolean {
    const type = this.#schema.tables
      .find((one) => one.name === table)
      ?.columns.find((one) => one.name === name)?.type;
    return type === undefined || !REAL_TYPE.test(type);
  }

  #functions(): string[] {
    const names = this.#tokens.flatMap((token, index) =>
      token.kind === "word" && this.#tokens[index + 1]?.text === "(" && !isReserved(wordOf(token))
        ? [wordOf(token)]
        : [],
    );
    return [...new Set(names)];
  }

  #keywords(): ReadonlySet<string> {
    return new Set(
      this.#tokens.map(wordOf).filter((word) => word !== "" && (isReserved(word) || AGGREGATES.has(word))),
    );
  }

  #hollow(): GoldFacts["hollow"] {
    const tokens = this.#tokens;
    return tokens.flatMap((token, index): GoldFacts["hollow"][number][] => {
      const isComparison = ["=", "==", "!=", "<>", "<", ">", "<=", ">="].includes(token.text);
      if (!isComparison) return [];
      const left = this.#columns.endingAt(index);
      const right = this.#columns.startingAt(index + 1);
      const text = (start: number, end: number): string =>
        this.#query.sql.slice(tokens[start]?.start, tokens[end - 1]?.end);
      if (wordOf(tokens[index + 1]) === "null") {
        return [{ kind: "null_comparison", text: text(left?.start ?? index - 1, index + 2) }];
      }
      if (left === undefined || right === undefined || token.text !== "=") return [];
      const isPart = this.#isPartOfSum(left, right);
      const isSame = left.column.source === right.column.source && left.column.column === right.column.column;
      return isSame && !isPart ? [{ kind: "same_column", text: text(left.start, right.end) }] : [];
    });
  }

  /** A COUNT of a CASE whose ELSE is a value: it counts every row. */
  #countsElse(call: AggregateCall): string[] {
    if (call.name !== "count" || call.isDistinct || !/^case\b/i.test(call.argument)) return [];
    const from = this.#indexAt(call.start) + 2;
    const to = this.#indexAt(call.end) - 1;
    const words = this.#tokens.slice(from, to);
    const at = words.findLastIndex((token) => wordOf(token) === "else");
    const behind = words[at + 1];
    if (at === -1 || behind === undefined || wordOf(behind) === "null") return [];
    return [this.#query.sql.slice(call.start, call.end)];
  }

  #namedTables(): Pick<GoldFacts, "tables" | "unknownTables"> {
    const tables = new Set<string>();
    const unknown = new Set<string>();
    for (const scope of this.#outline.scopes) {
      for (const source of scope.sources) {
        const table = this.#columns.tableOf(source, scope);
        if (table !== null) tables.add(table.name);
        else if (source.kind === "name" && !this.#columns.isCte(source, scope)) {
          const isSchema = /^(sqlite_master|sqlite_schema)$/i.test(foldName(source.name));
          if (!isSchema) unknown.add(source.name);
        }
      }
    }
    return { tables: [...tables], unknownTables: [...unknown] };
  }
}
