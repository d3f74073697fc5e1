import { nameOf, significantTokens } from "./lexer.ts";
import type { Token } from "./lexer.ts";
import { isReserved, JOIN_WORDS, mayNameTable } from "./reserved-words.ts";
import { addSource, endOn, endScope, openScope, startClause } from "./open-scope.ts";
import type { OpenFrame, OpenScope } from "./open-scope.ts";
import type { ClauseName, QueryFrame, QueryOutline, QueryScope, QuerySource } from "./query-parts.ts";

/** Parentheses in parentheses beyond which what is inside is not looked at. */
const MAX_DEPTH = 100;

const SET_OPERATORS: ReadonlySet<string> = new Set(["union", "intersect", "except"]);
const QUERY_STARTS: ReadonlySet<string> = new Set(["select", "with", "values"]);
const PLAIN_CLAUSES: ReadonlySet<string> = new Set(["from", "where", "having", "limit"]);

/**
 * Finds the SELECTs of any text, their clauses, sources, aliases and scopes. It never throws and takes time linear in
 * the text; on a text that is no query it finds what looks like parts of one.
 */
export function outlineQuery(sql: string): QueryOutline {
  return outlineTokens(significantTokens(sql));
}

/** As {@link outlineQuery}, of tokens without white space and comments. */
export function outlineTokens(tokens: readonly Token[]): QueryOutline {
  return new OutlineScanner(tokens).scan();
}

class OutlineScanner {
  private readonly tokens: readonly Token[];
  private readonly words: readonly string[];
  private readonly scopeOf: (QueryScope | null)[] = [];
  private readonly scopes: OpenScope[] = [];
  private readonly aliasTokens = new Set<number>();
  private readonly frames: OpenFrame[] = [];
  private readonly stack: OpenFrame[] = [];
  private skippedDepth = 0;
  private frame: OpenFrame;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
    this.words = tokens.map((token) => (token.kind === "word" ? token.text.toLowerCase() : ""));
    this.frame = this.newFrame("query", "statement", null, null);
  }

  scan(): QueryOutline {
    const statement = this.frame;
    for (let index = 0; index < this.tokens.length; ) {
      this.scopeOf[index] = this.frame.scope ?? this.frame.around;
      const next = this.take(index);
      for (let skipped = index + 1; skipped < next; skipped += 1) {
        this.scopeOf[skipped] = this.frame.scope ?? this.frame.around;
      }
      index = next;
    }
    while (this.stack.length > 0) this.close(this.tokens.length);
    endScope(statement, this.tokens.length);
    const { tokens, scopeOf, scopes, aliasTokens } = this;
    const main = this.frames.find((one) => one.role !== "derived" && one.scopes.length > 0) ?? statement;
    return { tokens, scopeOf, scopes, statement, main, aliasTokens };
  }

  /** Reads one element at `index`; returns where the next one starts. */
  private take(index: number): number {
    const text = this.textAt(index);
    if (this.skippedDepth > 0) {
      if (text === "(") this.skippedDepth += 1;
      else if (text === ")") this.skippedDepth -= 1;
      return index + 1;
    }
    if (text === ")") {
      this.close(index);
      return index + 1;
    }
    const { frame } = this;
    if (frame.withPhase !== "none") return this.takeWith(index);
    const scope = frame.scope;
    const isFrom = scope?.open?.name === "from" && frame.kind !== "plain";
    if (text === "(") {
      this.open(index, isFrom ? scope : null);
      return index + 1;
    }
    const word = this.textAt(index - 1) === "." ? "" : this.wordAt(index);
    const behind = frame.kind === "query" ? this.takeClause(index, word) : undefined;
    if (behind !== undefined) return behind;
    return isFrom ? this.takeFrom(index, word, scope) : index + 1;
  }

  private takeClause(index: number, word: string): number | undefined {
    const { frame } = this;
    const { scope } = frame;
    if (word === "select") {
      endScope(frame, index);
      frame.scope = openScope(frame, this.scopes);
      frame.scope.open = { name: "select", start: index + 1 };
      this.scopeOf[index] = frame.scope;
      return index + 1;
    }
    if (word === "with" && scope === null) {
      frame.withPhase = "name";
      return index + (this.wordAt(index + 1) === "recursive" ? 2 : 1);
    }
    if (scope === null) return undefined;
    if (SET_OPERATORS.has(word)) {
      endScope(frame, index);
      const isAll = this.wordAt(index + 1) === "all";
      frame.setOperations.push(isAll ? `${word} all` : word);
      return index + (isAll ? 2 : 1);
    }
    if (PLAIN_CLAUSES.has(word) && !this.isDistinctFrom(index, word)) {
      startClause(scope, word as ClauseName, index, 1);
      if (word === "from") scope.expectsSource = true;
      return index + 1;
    }
    if ((word === "group" || word === "order") && this.wordAt(index + 1) === "by") {
      startClause(scope, word, index, 2);
      return index + 2;
    }
    if (word === "window" && this.wordAt(index + 2) === "as") {
      startClause(scope, word, index, 1);
      return index + 1;
    }
    if (this.textAt(index) === ";") endScope(frame, index);
    return undefined;
  }

  /** Whether this FROM belongs to `IS [NOT] DISTINCT FROM`. */
  private isDistinctFrom(index: number, word: string): boolean {
    if (word !== "from" || this.wordAt(index - 1) !== "distinct") return false;
    const before = this.wordAt(index - 2);
    return before === "is" || before === "not";
  }

  private takeWith(index: number): number {
    const { frame } = this;
    const text = this.textAt(index);
    if (frame.withPhase === "name") {
      if (this.wordAt(index) === "select" || !this.isName(index)) {
        frame.withPhase = "none";
        return index;
      }
      frame.cte = { name: nameOf(this.tokenAt(index)), start: index };
      frame.withPhase = "body";
      return index + 1;
    }
    if (text === ",") {
      frame.withPhase = "name";
      return index + 1;
    }
    if (text === "(") {
      const { cte } = frame;
      const isBody = QUERY_STARTS.has(this.wordAt(index + 1));
      const onClose = (end: number): void => {
        if (isBody && cte !== null) frame.ctes.push({ ...cte, body: { start: index, end } });
      };
      this.push(this.newFrame(isBody ? "query" : "plain", "derived", frame.around, onClose));
      return index + 1;
    }
    if (QUERY_STARTS.has(this.wordAt(index)) || text === ";") {
      frame.withPhase = "none";
      return index;
    }
    return index + 1;
  }

  private takeFrom(index: number, word: string, scope: OpenScope): number {
    if (scope.expectsSource) return this.takeSource(index, scope);
    if (this.textAt(index) === ",") {
      endOn(scope, index);
      scope.joins = true;
      scope.joinWords = [];
      scope.expectsSource = true;
    } else if (JOIN_WORDS.has(word) && (word === "join" || this.textAt(index + 1) !== "(")) {
      endOn(scope, index);
      if (word === "join") {
        scope.joins = true;
        scope.expectsSource = true;
      } else scope.joinWords.push(word);
    } else if (word === "on") {
      scope.onStart = index + 1;
    } else if (word === "using" && this.textAt(index + 1) === "(") {
      return this.takeUsing(index + 2, scope);
    } else if (word === "indexed") {
      return index + (this.wordAt(index - 1) === "not" ? 1 : 3);
    } else if (scope.onStart === null && scope.last !== null && scope.last.alias === "") {
      this.takeAlias(index, word, scope.last);
    }
    return index + 1;
  }

  private takeSource(index: number, scope: OpenScope): number {
    if (!this.isName(index) && !this.isBareTable(index)) return index + 1;
    let name = index;
    while (this.textAt(name + 1) === "." && name + 2 < this.tokens.length) name += 2;
    const isFunction = this.textAt(name + 1) === "(";
    addSource(scope, {
      kind: isFunction ? "function" : "name",
      name: nameOf(this.tokenAt(name)),
      start: index,
      end: name + 1,
    });
    return name + 1;
  }

  private takeAlias(index: number, word: string, source: QuerySource): void {
    if (word === "as") {
      this.aliasTokens.add(index);
    } else if (this.isName(index)) {
      source.alias = nameOf(this.tokenAt(index));
      this.aliasTokens.add(index);
    }
  }

  private takeUsing(start: number, scope: OpenScope): number {
    const names: string[] = [];
    let index = start;
    while (index < this.tokens.length && this.textAt(index) !== ")") {
      if (this.textAt(index) !== ",") names.push(nameOf(this.tokenAt(index)));
      index += 1;
    }
    scope.last?.using.push(...names);
    return index + 1;
  }

  private open(index: number, from: OpenScope | null): void {
    if (this.stack.length >= MAX_DEPTH) {
      this.skippedDepth = 1;
      return;
    }
    const around = this.frame.scope ?? this.frame.around;
    const isQuery = QUERY_STARTS.has(this.wordAt(index + 1));
    if (from?.expectsSource !== true) {
      const called = from?.last?.kind === "function" && from.last.end === index ? from.last : null;
      const onClose =
        called &&
        ((end: number): void => {
          called.end = end;
        });
      this.push(this.newFrame(isQuery ? "query" : "plain", "expression", around, onClose));
      return;
    }
    if (!isQuery) {
      const group = this.newFrame("group", "expression", around, (end) => {
        endOn(from, end);
      });
      group.scope = from;
      this.push(group);
      return;
    }
    const source = addSource(from, { kind: "query", name: "", start: index, end: index + 1 });
    this.push(
      this.newFrame("query", "derived", from.outer, (end) => {
        source.end = end;
      }),
    );
  }

  private close(index: number): void {
    const { frame } = this;
    const around = this.stack.pop();
    if (around === undefined) return;
    if (frame.kind === "query") endScope(frame, index);
    this.frame = around;
    frame.onClose?.(Math.min(index + (frame.kind === "group" ? 0 : 1), this.tokens.length));
  }

  private push(frame: OpenFrame): void {
    this.stack.push(this.frame);
    this.frame = frame;
  }

  private newFrame(
    kind: OpenFrame["kind"],
    role: QueryFrame["role"],
    around: OpenScope | null,
    onClose: OpenFrame["onClose"],
  ): OpenFrame {
    const frame: OpenFrame = {
      outer: this.frame ?? null,
      role,
      ctes: [],
      scopes: [],
      setOperations: [],
      scope: null,
      around,
      kind,
      withPhase: "none",
      cte: null,
      onClose,
    };
    this.frames.push(frame);
    return frame;
  }

  private isName(index: number): boolean {
    const token = this.tokens[index];
    if (token === undefined) return false;
    if (token.kind === "word") return !isReserved(this.wordAt(index));
    return token.kind === "quoted-identifier" || token.kind === "string";
  }

  private isBareTable(index: number): boolean {
    return this.wordAt(index) !== "" && mayNameTable(this.wordAt(index));
  }

  private tokenAt(index: number): Token {
    return this.tokens[index] as Token;
  }

  private textAt(index: number): string {
    return this.tokens[index]?.text ?? "";
  }

  private wordAt(index: number): string {
    return this.words[index] ?? "";
  }
}
