import type { DatabaseSchema } from "../core/database.ts";
import { isName, nameOf, wordOf } from "./lexer.ts";
import type { Token } from "./lexer.ts";

/** A column whose values a statement puts in order. */
export interface ComparedColumn {
  readonly table: string;
  readonly column: string;
  /** How: `ORDER BY`, `MAX`, `MIN`, `BETWEEN` or an operator. */
  readonly by: string;
  /** The literal that it is compared with, without quotes; `null` when it is none. */
  readonly literal: string | null;
}

const COMPARISONS: ReadonlySet<string> = new Set(["<", ">", "<=", ">="]);
const ARITHMETIC: ReadonlySet<string> = new Set(["+", "-", "*", "/", "%", "||", "."]);
const SOURCE_ENDS: ReadonlySet<string> = new Set(
  "on using where group order limit left right inner outer cross natural full join union intersect except having window set".split(
    " ",
  ),
);

/**
 * Columns of a text type that a statement sorts by, compares by size or asks the MAX or MIN of, at any depth; only
 * where they stand by themselves, since a CAST or a calculation makes numbers of them. A column without its table is
 * taken to be of each table of the statement that has it.
 */
export function comparedColumns(tokens: readonly Token[], schema: DatabaseSchema): ComparedColumn[] {
  const sources = sourcesOf(tokens);
  const found = new Map<string, ComparedColumn>();
  let index = 0;
  while (index < tokens.length) {
    const length = columnLength(tokens, index);
    const use = length === 0 ? null : useOf(tokens, index, index + length - 1);
    if (use !== null) {
      for (const place of placesOf(tokens.slice(index, index + length), sources, schema)) {
        const one = { ...place, ...use };
        found.set(JSON.stringify(one), one);
      }
    }
    index += Math.max(1, length);
  }
  return [...found.values()];
}

/** How many tokens the column at an index has; 0 when there is none. */
function columnLength(tokens: readonly Token[], index: number): number {
  if (!isName(tokens[index]) || tokens[index - 1]?.text === ".") return 0;
  if (tokens[index + 1]?.text !== ".") return tokens[index + 1]?.text === "(" ? 0 : 1;
  return isName(tokens[index + 2]) ? 3 : 0;
}

function useOf(
  tokens: readonly Token[],
  start: number,
  end: number,
): Pick<ComparedColumn, "by" | "literal"> | null {
  const before = tokens[start - 1];
  const after = tokens[end + 1];
  if (isArithmetic(before) || isArithmetic(after)) return null;
  if (after !== undefined && COMPARISONS.has(after.text)) {
    return { by: after.text, literal: literalAt(tokens, end + 2) };
  }
  if (before !== undefined && COMPARISONS.has(before.text)) {
    return { by: before.text, literal: literalAt(tokens, start - 2) };
  }
  if (wordOf(after) === "between" || (wordOf(after) === "not" && wordOf(tokens[end + 2]) === "between")) {
    return { by: "BETWEEN", literal: literalAt(tokens, wordOf(after) === "not" ? end + 3 : end + 2) };
  }
  const called = wordOf(tokens[start - 2]);
  if (before?.text === "(" && after?.text === ")" && (called === "max" || called === "min")) {
    return { by: called.toUpperCase(), literal: null };
  }
  return isOrderTerm(tokens, start, end) ? { by: "ORDER BY", literal: null } : null;
}

function isArithmetic(token: Token | undefined): boolean {
  return token !== undefined && ARITHMETIC.has(token.text);
}

/** The text of a literal that stands by itself. */
function literalAt(tokens: readonly Token[], index: number): string | null {
  const token = tokens[index];
  if (token?.kind === "number") return token.text;
  return token?.kind === "string" ? nameOf(token) : null;
}

/** Whether what lies between `start` and `end` is a whole term of an ORDER BY. */
function isOrderTerm(tokens: readonly Token[], start: number, end: number): boolean {
  const after = tokens[end + 1];
  const ends = ["asc", "desc", "nulls", "limit", "rows", "range", "union"].includes(wordOf(after));
  if (after !== undefined && !ends && ![",", ")", ";"].includes(after.text)) return false;
  let depth = 0;
  for (let index = start - 1; index > 0; index -= 1) {
    const { text } = tokens[index] as Token;
    if (text === ")") depth += 1;
    if (text === "(") depth -= 1;
    if (depth < 0) return false;
    if (depth > 0) continue;
    const word = wordOf(tokens[index]);
    if (word === "by") return wordOf(tokens[index - 1]) === "order" && startsTerm(tokens, index, start);
    if (["select", "from", "where", "limit", "having", "set"].includes(word)) return false;
  }
  return false;
}

/** Whether the token at `start` follows BY at `by` or a comma, and so begins a term. */
function startsTerm(tokens: readonly Token[], by: number, start: number): boolean {
  return start - 1 === by || tokens[start - 1]?.text === ",";
}

/** Tables by the names that they go by in a statement, in lower case. */
type Sources = ReadonlyMap<string, ReadonlySet<string>>;

function sourcesOf(tokens: readonly Token[]): Sources {
  const sources = new Map<string, Set<string>>();
  const add = (name: string, table: string): void => {
    const key = name.toLowerCase();
    sources.set(key, (sources.get(key) ?? new Set()).add(table.toLowerCase()));
  };
  let inFrom = false;
  for (const [index, token] of tokens.entries()) {
    const word = wordOf(token);
    if (word === "from" || word === "join") inFrom = true;
    else if (SOURCE_ENDS.has(word) || token.text === ")" || word === "select") inFrom = false;
    const follows = word === "from" || word === "join" || (inFrom && token.text === ",");
    const table = tokens[index + 1];
    if (!follows || table === undefined || !isName(table)) continue;
    const after = wordOf(tokens[index + 2]) === "as" ? tokens[index + 3] : tokens[index + 2];
    add(nameOf(table), nameOf(table));
    if (after !== undefined && isName(after) && !SOURCE_ENDS.has(wordOf(after)))
      add(nameOf(after), nameOf(table));
  }
  return sources;
}

/** The places a column can be, where every one of them has a text type; none otherwise. */
function placesOf(
  column: readonly Token[],
  sources: Sources,
  schema: DatabaseSchema,
): { readonly table: string; readonly column: string }[] {
  const [first, , last] = column as readonly [Token, Token?, Token?];
  const name = nameOf(last ?? first).toLowerCase();
  const tables =
    last === undefined
      ? new Set([...sources.values()].flatMap((some) => [...some]))
      : (sources.get(nameOf(first).toLowerCase()) ?? new Set());
  const places = schema.tables
    .filter((table) => tables.has(table.name.toLowerCase()))
    .flatMap((table) =>
      table.columns
        .filter((one) => one.name.toLowerCase() === name)
        .map((one) => ({ table: table.name, column: one.name, type: one.type })),
    );
  if (!places.every(({ type }) => isTextType(type))) return [];
  return places.map(({ table, column: of }) => ({ table, column: of }));
}

/** Whether SQLite gives a declared type the affinity of text. */
function isTextType(type: string): boolean {
  return /char|clob|text/i.test(type) && !/int/i.test(type);
}
