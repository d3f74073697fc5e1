import { significantTokens } from "../sql/lexer.ts";

/** Whether two queries have the same tokens but for the case of words and a closing semicolon. */
export function sameQuery(left: string, right: string): boolean {
  return plainTokens(left) === plainTokens(right);
}

function plainTokens(sql: string): string {
  const tokens = significantTokens(sql).map(({ kind, text }) =>
    kind === "word" ? text.toLowerCase() : text,
  );
  while (tokens.at(-1) === ";") tokens.pop();
  return tokens.join(" ");
}
