import type { DatabaseSchema } from "../core/database.ts";
import { nameOf } from "./lexer.ts";
import type { Token } from "./lexer.ts";
import type { QueryOutline, QueryScope, Stretch } from "./query-parts.ts";
import { QueryNames } from "./query-names.ts";
import { isReserved, writtenName } from "./reserved-words.ts";

/** What a token stands for in a normalised text: empty where it adds nothing. A literal is `?`. */
export interface QueryUnit {
  readonly text: string;
  readonly literals: readonly string[];
  /** Whether it is the name of a function that is called. */
  readonly isCall: boolean;
}

/** A normalised stretch of a query, with `?` for each literal, and the literals in their order. */
export interface ClauseItem {
  readonly text: string;
  readonly literals: readonly string[];
}

const NOTHING: QueryUnit = { text: "", literals: [], isCall: false };
const SAME_OPERATORS: Readonly<Record<string, string>> = { "==": "=", "<>": "!=" };

/** Words before a double-quoted text that mostly make it a value, where no schema tells. */
const COMPARISONS: ReadonlySet<string> = new Set(
  "= == != <> < > <= >= like glob match regexp between is not".split(" "),
);

/** Names that stand for no column behind these words. */
const NAME_OPENERS: ReadonlySet<string> = new Set(["as", "collate", "over"]);

/** Words that are no function where a parenthesis follows. */
const UNCALLED: ReadonlySet<string> = new Set(["over", "filter", "materialized"]);

/** The longest expression, in tokens, that takes the place of its alias. */
const MAX_SUBSTITUTED = 64;

/** The normalised texts of a query's tokens, one for each. */
export class QueryTexts {
  readonly outline: QueryOutline;
  readonly units: readonly QueryUnit[];
  /** The closing parenthesis of each opening one; the number of tokens where it is missing. */
  readonly closing: ReadonlyMap<number, number>;
  readonly names: QueryNames;
  readonly #outputNames = new Set<number>();
  readonly #ownLiterals: (readonly string[])[] = [];

  constructor(outline: QueryOutline, schema: DatabaseSchema | null) {
    this.outline = outline;
    this.closing = closingParentheses(outline.tokens);
    this.names = new QueryNames(outline, schema);
    const aliases = new Map(outline.scopes.map((scope) => [scope, this.#outputAliases(scope)]));
    const units: QueryUnit[] = [];
    this.units = units;
    for (let index = 0; index < outline.tokens.length; ) {
      const chain = this.#chainEnd(index);
      for (let skipped = index; skipped < chain; skipped += 1) units.push(NOTHING);
      units.push(this.#unit(index, chain, aliases));
      index = chain + 1;
    }
    for (const [index, unit] of units.entries()) {
      if (unit.text === "?") this.#ownLiterals[index] = unit.literals;
    }
    for (const [scope, outputs] of aliases) {
      if (scope.frame.role === "derived") continue;
      for (const { from, to } of outputs.values()) {
        for (let index = from; index < to; index += 1) units[index] = NOTHING;
      }
    }
  }

  /** The text of a stretch; parentheses around the whole of it are left out, unless they hold a query. */
  item(stretch: Stretch): ClauseItem {
    const { start, end } = this.trim(stretch);
    let text = "";
    let glued = true;
    const literals: string[] = [];
    for (let index = start; index < end; index += 1) {
      const unit = this.units[index] ?? NOTHING;
      if (unit.text === "") continue;
      const isClose = unit.text === ")" || unit.text === ",";
      text += glued || isClose ? unit.text : ` ${unit.text}`;
      glued = unit.text === "(" || unit.isCall;
      literals.push(...unit.literals);
    }
    return { text, literals };
  }

  /** A stretch without the parentheses around the whole of it. */
  trim({ start, end }: Stretch): Stretch {
    let first = start;
    let last = end;
    while (last > first && this.units[last - 1]?.text === "") last -= 1;
    while (
      last - first > 2 &&
      this.units[first]?.text === "(" &&
      this.closing.get(first) === last - 1 &&
      !["select", "with", "values"].includes(this.units[first + 1]?.text ?? "")
    ) {
      first += 1;
      last -= 1;
    }
    return { start: first, end: last };
  }

  /** The parts of a stretch between the commas outside of parentheses. */
  split(stretch: Stretch): Stretch[] {
    const parts: Stretch[] = [];
    let { start } = stretch;
    for (let index = start; index < stretch.end; index = this.after(index)) {
      if (this.outline.tokens[index]?.text !== ",") continue;
      parts.push({ start, end: index });
      start = index + 1;
    }
    if (start < stretch.end) parts.push({ start, end: stretch.end });
    return parts;
  }

  /** The literal that a token is, if it is one. */
  literalsAt(index: number): readonly string[] {
    return this.#ownLiterals[index] ?? [];
  }

  /** The token behind the one at `index`, or behind the parentheses that it opens. */
  after(index: number): number {
    return (this.closing.get(index) ?? index) + 1;
  }

  #unit(index: number, last: number, aliases: ReadonlyMap<QueryScope, OutputAliases>): QueryUnit {
    const token = this.outline.tokens[last] as Token;
    const scope = this.outline.scopeOf[last] ?? null;
    const named = this.names.named.get(last);
    if (named !== undefined) return plain(named);
    if (this.outline.aliasTokens.has(last)) return NOTHING;
    if (this.#outputNames.has(last)) return plain(writtenName(nameOf(token)));
    switch (token.kind) {
      case "string":
        return literal(quoteString(nameOf(token)));
      case "number":
        return literal(token.text.toLowerCase().replaceAll("_", ""));
      case "blob":
        return literal(token.text.toLowerCase());
      case "word":
      case "quoted-identifier":
        break;
      default:
        if (token.text === "*" && last > index) return plain(this.#qualified(last, scope));
        return plain(SAME_OPERATORS[token.text] ?? token.text);
    }
    const isBare = token.kind === "word";
    if (last > index) return plain(this.#qualified(last, scope));
    const name = nameOf(token);
    if (isBare && isReserved(name.toLowerCase())) return plain(name.toLowerCase());
    if (this.outline.tokens[last + 1]?.text === "(" && !UNCALLED.has(name.toLowerCase())) {
      return { text: name.toLowerCase(), literals: [], isCall: true };
    }
    if (NAME_OPENERS.has(this.#word(last - 1))) return plain(writtenName(name));
    return this.#column(last, token, scope, aliases);
  }

  #column(
    index: number,
    token: Token,
    scope: QueryScope | null,
    aliases: ReadonlyMap<QueryScope, OutputAliases>,
  ): QueryUnit {
    const name = nameOf(token);
    const found = this.names.column(scope, name);
    const output = scope === null ? undefined : aliases.get(scope)?.get(name.toLowerCase());
    if (scope !== null && output !== undefined && index >= output.to) {
      const isOrdered = isWithin(index, scope.clauses.get("order"));
      const seesAlias =
        isOrdered ||
        isWithin(index, scope.clauses.get("group")) ||
        isWithin(index, scope.clauses.get("having"));
      if (seesAlias && (found === undefined || isOrdered)) return this.#expression(output, name);
    }
    if (found !== undefined) return plain(found);
    if (token.text.startsWith('"') && output === undefined && this.#isValue(index)) {
      return literal(quoteString(name));
    }
    return plain(writtenName(name));
  }

  /** Whether a double-quoted name that is no known column is a value, as SQLite then reads it. */
  #isValue(index: number): boolean {
    if (this.names.knowsEveryColumn(this.outline.scopeOf[index] ?? null)) return true;
    const before = this.#word(index - 1);
    if (COMPARISONS.has(before)) return true;
    if (before === "and") {
      return this.#word(index - 3) === "between" || this.#word(index - 4) === "between";
    }
    let open = index - 1;
    while (open > 0 && /^["',]/.test(this.outline.tokens[open]?.text ?? "") && index - open < 200) open -= 1;
    return this.outline.tokens[open]?.text === "(" && this.#word(open - 1) === "in";
  }

  #expression(output: OutputAlias, name: string): QueryUnit {
    if (output.expression.end - output.expression.start > MAX_SUBSTITUTED) return plain(writtenName(name));
    return { ...this.item(output.expression), isCall: false };
  }

  #qualified(last: number, scope: QueryScope | null): string {
    const qualifier = nameOf(this.outline.tokens[last - 2] as Token);
    const token = this.outline.tokens[last] as Token;
    const column = token.text === "*" ? "*" : writtenName(nameOf(token));
    const label = this.names.qualifier(scope, qualifier);
    if (label === "") return column;
    return `${label ?? writtenName(qualifier)}.${column}`;
  }

  /** The last token of a dotted name that starts at `index`. */
  #chainEnd(index: number): number {
    const { tokens } = this.outline;
    let last = index;
    while (isNameLike(tokens[last]) && tokens[last + 1]?.text === "." && this.#mayEndName(tokens[last + 2])) {
      last += 2;
    }
    return last;
  }

  #mayEndName(token: Token | undefined): boolean {
    return isNameLike(token) || token?.text === "*";
  }

  #word(index: number): string {
    const token = this.outline.tokens[index];
    return token?.kind === "word" || token?.kind === "operator" ? token.text.toLowerCase() : "";
  }

  #outputAliases(scope: QueryScope): OutputAliases {
    const aliases = new Map<string, OutputAlias>();
    const select = scope.clauses.get("select");
    if (select === undefined) return aliases;
    for (const { start, end } of this.split(select)) {
      const last = this.outline.tokens[end - 1];
      if (!isNameLike(last) || end - start < 2) continue;
      const hasAs = this.#word(end - 2) === "as";
      if (!hasAs && (isReservedToken(last) || !this.#endsOperand(end - 2))) continue;
      const expressionEnd = hasAs ? end - 2 : end - 1;
      const name = nameOf(last as Token).toLowerCase();
      const first = isSelectQuantifier(this.#word(start)) && start === select.start ? start + 1 : start;
      this.#outputNames.add(end - 1);
      aliases.set(name, {
        from: expressionEnd,
        to: end,
        expression: { start: Math.min(first, expressionEnd), end: expressionEnd },
      });
    }
    return aliases;
  }

  #endsOperand(index: number): boolean {
    const token = this.outline.tokens[index];
    if (token === undefined || token.kind === "operator") return false;
    if (token.kind === "punctuation") return token.text === ")";
    const word = this.#word(index);
    return word === "end" || word === "null" || (word !== "over" && !isReserved(word));
  }
}

/** An output column's alias: its tokens, AS included, and the expression that it names. */
interface OutputAlias {
  readonly from: number;
  readonly to: number;
  readonly expression: Stretch;
}

type OutputAliases = ReadonlyMap<string, OutputAlias>;

/** Whether a word between SELECT and its first column is no part of that column. */
export function isSelectQuantifier(word: string): boolean {
  return word === "distinct" || word === "all";
}

function isWithin(index: number, stretch: Stretch | undefined): boolean {
  return stretch !== undefined && index >= stretch.start && index < stretch.end;
}

function isNameLike(token: Token | undefined): boolean {
  return token?.kind === "word" || token?.kind === "quoted-identifier" || token?.kind === "string";
}

function isReservedToken(token: Token | undefined): boolean {
  return token?.kind === "word" && isReserved(token.text.toLowerCase());
}

function plain(text: string): QueryUnit {
  return { text, literals: [], isCall: false };
}

function literal(text: string): QueryUnit {
  return { text: "?", literals: [text], isCall: false };
}

function quoteString(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

function closingParentheses(tokens: readonly Token[]): Map<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  for (const [index, { text }] of tokens.entries()) {
    if (text === "(") open.push(index);
    else if (text === ")") {
      const start = open.pop();
      if (start !== undefined) closing.set(start, index);
    }
  }
  for (const start of open) closing.set(start, tokens.length);
  return closing;
}
