import type { UsedLiteral } from "../core/gold-facts.ts";
import { nameOf, wordOf } from "./lexer.ts";
import type { Token } from "./lexer.ts";
import type { QueryOutline } from "./query-parts.ts";
import type { UsedColumns } from "./used-columns.ts";

const OPERATORS: Readonly<Record<string, string>> = {
  "=": "=",
  "==": "=",
  "!=": "!=",
  "<>": "!=",
  "<": "<",
  ">": ">",
  "<=": "<=",
  ">=": ">=",
};
const WORD_OPERATORS: ReadonlySet<string> = new Set(["like", "glob", "is"]);
const FLIPPED: Readonly<Record<string, string>> = { "<": ">", ">": "<", "<=": ">=", ">=": "<=" };

/** What a literal is compared with: up to a token before it, or from a token behind it. */
interface Comparison {
  readonly operator: string;
  readonly until: number | null;
  readonly from: number | null;
}

/** The texts and numbers of a statement. A text in double quotes that is no column is one, as for SQLite. */
export function usedLiterals(outline: QueryOutline, columns: UsedColumns): UsedLiteral[] {
  const { tokens, scopeOf, aliasTokens, main } = outline;
  return tokens.flatMap((token, index): UsedLiteral[] => {
    const kind = literalKind(token);
    if (kind === null || aliasTokens.has(index) || wordOf(tokens[index - 1]) === "as") return [];
    if (token.kind === "quoted-identifier" && !isDoubleQuotedText(outline, columns, index)) return [];
    if (isBehindOperand(tokens, index)) return [];
    const comparison = comparisonOf(tokens, index);
    const { column, call } = otherSide(outline, columns, comparison);
    return [
      {
        kind,
        value: kind === "text" ? nameOf(token) : signed(tokens, index),
        operator: comparison.operator,
        column,
        call,
        start: token.start,
        end: token.end,
        isOutermost: main.scopes.includes(scopeOf[index] as never),
      },
    ];
  });
}

function literalKind(token: Token): UsedLiteral["kind"] | null {
  if (token.kind === "string") return "text";
  if (token.kind === "number") return "number";
  return token.kind === "quoted-identifier" && token.text.startsWith('"') ? "text" : null;
}

function isDoubleQuotedText(outline: QueryOutline, columns: UsedColumns, index: number): boolean {
  const { tokens } = outline;
  if (tokens[index - 1]?.text === "." || tokens[index + 1]?.text === ".") return false;
  const isSource = outline.scopes.some(({ sources }) =>
    sources.some((one) => one.kind === "name" && index >= one.start && index < one.end),
  );
  return !isSource && columns.startingAt(index) === undefined;
}

/** A literal right behind an operand is its alias. */
function isBehindOperand(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1];
  if (before === undefined || tokens[index]?.kind === "number") return false;
  return before.text === ")" || before.kind === "number" || before.kind === "string";
}

function signed(tokens: readonly Token[], index: number): string {
  const text = tokens[index]?.text ?? "";
  const before = tokens[index - 2];
  const isSign = tokens[index - 1]?.text === "-" && (before === undefined || before.kind === "operator");
  return isSign ? `-${text}` : text;
}

function comparisonOf(tokens: readonly Token[], index: number): Comparison {
  const isNegative = tokens[index - 1]?.text === "-" && tokens[index - 2]?.kind === "operator";
  const at = isNegative ? index - 1 : index;
  const before = tokens[at - 1];
  const word = wordOf(before);
  const operator = OPERATORS[before?.text ?? ""];
  if (operator !== undefined) return { operator, until: at - 1, from: null };
  if (WORD_OPERATORS.has(word))
    return { operator: word === "is" ? "=" : word, until: beforeNot(tokens, at - 1), from: null };
  if (word === "between") return { operator: "between", until: beforeNot(tokens, at - 1), from: null };
  if (word === "limit" || word === "offset") return { operator: word, until: null, from: null };
  if (word === "and") {
    const between = betweenBefore(tokens, at - 1);
    if (between !== null) return { operator: "between", until: beforeNot(tokens, between), from: null };
  }
  const list = listBefore(tokens, at);
  if (list !== null) return { operator: "in", until: beforeNot(tokens, list), from: null };
  const after = OPERATORS[tokens[index + 1]?.text ?? ""];
  if (after !== undefined) return { operator: FLIPPED[after] ?? after, until: null, from: index + 2 };
  return { operator: "other", until: null, from: null };
}

function beforeNot(tokens: readonly Token[], index: number): number {
  return wordOf(tokens[index - 1]) === "not" ? index - 1 : index;
}

/** The BETWEEN that an AND belongs to. */
function betweenBefore(tokens: readonly Token[], and: number): number | null {
  for (let index = and - 1; index >= Math.max(0, and - 8); index -= 1) {
    const word = wordOf(tokens[index]);
    if (word === "between") return index;
    if (["and", "or", "where", "on", "having", "when"].includes(word)) return null;
  }
  return null;
}

/** The IN whose list of literals a place is in. */
function listBefore(tokens: readonly Token[], place: number): number | null {
  let index = place - 1;
  while (index > 0) {
    const token = tokens[index] as Token;
    if (token.text === "(") return wordOf(tokens[index - 1]) === "in" ? index - 1 : null;
    const isListed = token.text === "," || literalKind(token) !== null || token.text === "-";
    if (!isListed) return null;
    index -= 1;
  }
  return null;
}

function otherSide(
  { tokens }: QueryOutline,
  columns: UsedColumns,
  { until, from }: Comparison,
): Pick<UsedLiteral, "column" | "call"> {
  if (from !== null) return { column: columns.startingAt(from)?.column ?? null, call: null };
  if (until === null) return { column: null, call: null };
  const placed = columns.endingAt(until);
  if (placed !== undefined) {
    const before = tokens[placed.start - 1];
    const isPart = before?.kind === "operator" && OPERATORS[before.text] === undefined;
    return { column: isPart ? null : placed.column, call: null };
  }
  if (tokens[until - 1]?.text !== ")") return { column: null, call: null };
  const open = openingOf(tokens, until - 1);
  const name = wordOf(tokens[open - 1]);
  if (name === "") return { column: null, call: null };
  const text = tokens
    .slice(open - 1, until)
    .map((token) => token.text)
    .join(" ");
  return { column: null, call: { name, text } };
}

function openingOf(tokens: readonly Token[], close: number): number {
  let depth = 0;
  for (let index = close; index >= 0; index -= 1) {
    const text = tokens[index]?.text;
    if (text === ")") depth += 1;
    if (text === "(") depth -= 1;
    if (depth === 0) return index;
  }
  return 0;
}
