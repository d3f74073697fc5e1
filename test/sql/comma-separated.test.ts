import { expect, it } from "vitest";
import { commaSeparated, depthChange } from "../../sql/comma-separated.ts";
import { significantTokens } from "../../sql/lexer.ts";

it("parts tokens at the commas outside parentheses", () => {
  const pieces = commaSeparated(significantTokens("a, f(b, c), (d)"));
  expect(pieces.map((piece) => piece.map(({ text }) => text).join(""))).toEqual(["a", "f(b,c)", "(d)"]);
});

it("counts parentheses, not those in quotes", () => {
  expect(significantTokens("f ( ) '(' [(]").map(depthChange)).toEqual([0, 1, -1, 0, 0]);
});
