import type { Token } from "./lexer.ts";

/** The pieces between the commas that stand outside parentheses. */
export function commaSeparated(tokens: readonly Token[]): (readonly Token[])[] {
  const pieces: Token[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += depthChange(token);
    if (token.text === "," && depth === 0) pieces.push([]);
    else pieces.at(-1)?.push(token);
  }
  return pieces.filter((piece) => piece.length > 0);
}

/** 1 for an opening parenthesis, -1 for a closing one, else 0. */
export function depthChange({ kind, text }: Token): number {
  if (kind !== "punctuation") return 0;
  if (text === "(") return 1;
  return text === ")" ? -1 : 0;
}
