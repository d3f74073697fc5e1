import type { ClauseName, QueryFrame, QueryScope, QuerySource } from "./query-parts.ts";

/** A level of parentheses while its tokens are read. */
export interface OpenFrame extends QueryFrame {
  readonly role: QueryFrame["role"];
  /** The scope being read here; that of the parentheses around in a group of joins. */
  scope: OpenScope | null;
  readonly around: OpenScope | null;
  readonly kind: "query" | "group" | "plain";
  withPhase: "none" | "name" | "body";
  cte: { readonly name: string; readonly start: number } | null;
  /** What the closing parenthesis completes. */
  readonly onClose: ((end: number) => void) | null;
}

/** A SELECT while its tokens are read. */
export interface OpenScope extends QueryScope {
  readonly outer: OpenScope | null;
  readonly frame: OpenFrame;
  readonly sources: QuerySource[];
  open: { readonly name: ClauseName; readonly start: number } | null;
  expectsSource: boolean;
  joinWords: string[];
  joins: boolean;
  last: QuerySource | null;
  onStart: number | null;
}

/** Begins a SELECT in a frame, and adds it to those of the text. */
export function openScope(frame: OpenFrame, scopes: OpenScope[]): OpenScope {
  const scope: OpenScope = {
    index: scopes.length,
    outer: frame.around,
    frame,
    clauses: new Map(),
    sources: [],
    open: null,
    expectsSource: false,
    joinWords: [],
    joins: false,
    last: null,
    onStart: null,
  };
  scopes.push(scope);
  frame.scopes.push(scope);
  return scope;
}

/** Adds what is read in FROM, joined by the words that came before it. */
export function addSource(
  scope: OpenScope,
  source: Pick<QuerySource, "kind" | "name" | "start" | "end">,
): QuerySource {
  const join = scope.joins ? joinName(scope.joinWords) : "";
  const added: QuerySource = { ...source, alias: "", join, on: [], using: [] };
  scope.sources.push(added);
  scope.last = added;
  scope.expectsSource = false;
  scope.joinWords = [];
  return added;
}

/** Ends the clause before, and begins one whose content stands behind `words` words at `index`. */
export function startClause(scope: OpenScope, name: ClauseName, index: number, words: number): void {
  endClause(scope, index);
  scope.open = { name, start: index + words };
}

/** Ends the clause that is being read; of several of one name the first counts. */
function endClause(scope: OpenScope, end: number): void {
  endOn(scope, end);
  const { open } = scope;
  if (open !== null && !scope.clauses.has(open.name)) {
    scope.clauses.set(open.name, { start: Math.min(open.start, end), end });
  }
  scope.open = null;
}

/** Ends the condition after ON that is being read. */
export function endOn(scope: OpenScope, end: number): void {
  if (scope.onStart !== null && scope.last !== null) {
    scope.last.on.push({ start: Math.min(scope.onStart, end), end });
  }
  scope.onStart = null;
}

/** Ends the SELECT that is being read in a frame. */
export function endScope(frame: OpenFrame, end: number): void {
  if (frame.scope !== null) endClause(frame.scope, end);
  frame.scope = null;
}

/** Inner joins have many spellings: a comma, JOIN, INNER JOIN, CROSS JOIN; OUTER adds nothing. */
function joinName(words: readonly string[]): string {
  const kept = words.filter((word) => word !== "inner" && word !== "outer" && word !== "cross");
  return [...kept, "join"].join(" ");
}
