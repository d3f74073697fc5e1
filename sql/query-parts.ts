import type { Token } from "./lexer.ts";

export type ClauseName = "select" | "from" | "where" | "group" | "having" | "window" | "order" | "limit";

/** A stretch of tokens: from `start` to before `end`. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** One thing that is read in FROM. */
export interface QuerySource {
  /** `query` is a subquery, `function` a table-valued one. */
  readonly kind: "name" | "query" | "function";
  /** The name as written, quotes and schema prefix removed; empty for a subquery. */
  readonly name: string;
  /** As written, quotes removed; empty without one. */
  alias: string;
  /** The token of its name, or the parenthesis that opens it. */
  readonly start: number;
  end: number;
  /** How it is joined to what stands before it: `join`, `left join`, `natural join`, …; empty for the first. */
  readonly join: string;
  /** The conditions after ON; more than one where parentheses in FROM end in this source. */
  readonly on: Stretch[];
  /** The columns of USING, as written. */
  readonly using: string[];
}

/** One SELECT, with what its names can stand for. */
export interface QueryScope {
  readonly index: number;
  /** The scope around it, whose names it sees; `null` for none. */
  readonly outer: QueryScope | null;
  /** The parentheses it stands in. */
  readonly frame: QueryFrame;
  /** The tokens behind each clause's keywords; a clause comes at most once. */
  readonly clauses: Map<ClauseName, Stretch>;
  readonly sources: QuerySource[];
}

/** A common table expression: its name as written and the tokens of its body, parentheses included. */
export interface QueryCte {
  readonly name: string;
  readonly start: number;
  readonly body: Stretch;
}

/** A level of parentheses that holds a query, or the whole text. */
export interface QueryFrame {
  readonly outer: QueryFrame | null;
  /** What the query is for: `derived` for a subquery in FROM or the body of a common table expression. */
  readonly role: "statement" | "derived" | "expression";
  readonly ctes: QueryCte[];
  readonly scopes: QueryScope[];
  /** Between the scopes: `union`, `union all`, `intersect`, `except`. */
  readonly setOperations: string[];
}

/** Where the queries of a text are, found without a grammar. */
export interface QueryOutline {
  readonly tokens: readonly Token[];
  /** For each token the scope in which its name is looked up. */
  readonly scopeOf: readonly (QueryScope | null)[];
  readonly scopes: readonly QueryScope[];
  /** What stands in no parentheses. */
  readonly statement: QueryFrame;
  /** The query that the text is: the outermost one that has a SELECT. */
  readonly main: QueryFrame;
  /** Tokens that name an alias, and their AS. */
  readonly aliasTokens: ReadonlySet<number>;
}
