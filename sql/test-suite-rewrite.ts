import { PYTHON_WHITE_SPACE } from "./python-text.ts";
import { DEFAULT_MAX_STATEMENT_CHARACTERS } from "./statement-check.ts";
import { firstStatementTokens } from "./test-suite-tokens.ts";

/** Operators that the official evaluation closes up wherever they stand, in this order. */
const SPACED_OPERATORS: readonly (readonly [string, string])[] = [
  ["> =", ">="],
  ["< =", "<="],
  ["! =", "!="],
];

const SPACES = `[${PYTHON_WHITE_SPACE}]*`;
const THIS_YEAR = new RegExp(
  `YEAR${SPACES}\\(${SPACES}CURDATE${SPACES}\\(${SPACES}\\)${SPACES}\\)${SPACES}`,
  "giu",
);

/** The year that the official evaluation puts in place of MySQL's current one. */
const EVALUATION_YEAR = "2020";

/** Rewrites that were worked out are kept for as many texts at most. */
const KEPT = 20_000;
const kept = new Map<string, string | null>();

/** Closes up `> =`, `< =` and `! =`, inside literals too. */
export function closeOperators(sql: string): string {
  let closed = sql;
  for (const [spaced, operator] of SPACED_OPERATORS) closed = closed.replaceAll(spaced, operator);
  return closed;
}

/**
 * The first statement of a text without its DISTINCT keywords, at whatever depth; `null` for a blank text, which has
 * none. Literals, quoted names and comments are left as they are.
 */
export function dropDistinct(sql: string): string | null {
  const known = kept.get(sql);
  if (known !== undefined) return known;
  const dropped = firstWithoutDistinct(sql);
  if (kept.size >= KEPT) kept.clear();
  kept.set(sql, dropped);
  return dropped;
}

/** Puts a year in place of `YEAR(CURDATE())` and the white space behind it, literals included. */
export function fixYear(sql: string): string {
  return sql.replaceAll(THIS_YEAR, EVALUATION_YEAR);
}

/** Whether the evaluation compares rows in the gold's order: "order by" with one space, anywhere in its text. */
export function mentionsOrder(goldSql: string): boolean {
  return goldSql.toLowerCase().includes("order by");
}

function firstWithoutDistinct(sql: string): string | null {
  if (sql.length > DEFAULT_MAX_STATEMENT_CHARACTERS) return sql;
  const tokens = firstStatementTokens(sql);
  if (tokens.length === 0) return null;
  return tokens
    .map(({ text }) => text)
    .filter((text) => text.toLowerCase() !== "distinct")
    .join("");
}
