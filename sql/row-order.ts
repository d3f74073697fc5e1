import { significantTokens } from "./lexer.ts";

/**
 * Whether a query orders its own rows: it has ORDER BY outside every parenthesis, where it belongs to the
 * outermost select or, at the end of a compound one, to the whole. One in a subquery, a common table
 * expression, a window or an aggregate does not count, nor do the words inside a literal or a comment.
 */
export function ordersRows(sql: string): boolean {
  let depth = 0;
  let afterOrder = false;
  for (const { kind, text } of significantTokens(sql)) {
    if (kind === "punctuation") {
      if (text === "(") depth += 1;
      else if (text === ")") depth -= 1;
    }
    const word = kind === "word" && depth === 0 ? text.toLowerCase() : "";
    if (afterOrder && word === "by") return true;
    afterOrder = word === "order";
  }
  return false;
}
