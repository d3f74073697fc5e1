import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TokenKind } from "../../sql/lexer.ts";
import { isName, nameOf, significantTokens, tokenize, wordOf } from "../../sql/lexer.ts";

type Expected = readonly [kind: TokenKind, text: string];

function lexed(sql: string): Expected[] {
  return tokenize(sql).map(({ kind, text }): Expected => [kind, text]);
}

const FRAGMENTS = [
  ..."SELECT x 'it''s' ' \" ` [ ] x'ab' x'a -- /* */ /*/ 0x1F 1e5 1e .5 1_000 1__0 $a::b(c) @ :a ?1 # -> ->> || ! \\".split(
    " ",
  ),
  " ",
  "\n",
  "\r",
  "\v",
  "\0",
  "\uFEFF",
  "é",
  "\uD83D",
  "😀",
  ";",
  "(",
  ")",
];

const anySql = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(fc.constantFrom(...FRAGMENTS)).map((parts) => parts.join("")),
);

describe("tokenize", () => {
  it("gives back any text, in contiguous tokens that are not empty", () => {
    fc.assert(
      fc.property(anySql, (sql) => {
        const tokens = tokenize(sql);
        expect(tokens.map((token) => token.text).join("")).toBe(sql);
        let offset = 0;
        for (const token of tokens) {
          expect(token.start).toBe(offset);
          expect(token.end).toBeGreaterThan(token.start);
          expect(sql.slice(token.start, token.end)).toBe(token.text);
          offset = token.end;
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it("splits a query", () => {
    expect(lexed("SELECT a.b, 'x' FROM\tt -- end")).toEqual([
      ["word", "SELECT"],
      ["space", " "],
      ["word", "a"],
      ["punctuation", "."],
      ["word", "b"],
      ["punctuation", ","],
      ["space", " "],
      ["string", "'x'"],
      ["space", " "],
      ["word", "FROM"],
      ["space", "\t"],
      ["word", "t"],
      ["space", " "],
      ["comment", "-- end"],
    ]);
  });

  it.each<readonly [string, TokenKind]>([
    ["'it''s'", "string"],
    ["''", "string"],
    ["'a;b--c'", "string"],
    ['"a""b"', "quoted-identifier"],
    ["`a``b`", "quoted-identifier"],
    ["[a b]", "quoted-identifier"],
    ["[]", "quoted-identifier"],
    ["x'ab'", "blob"],
    ["X'53514C697465'", "blob"],
    ["x''", "blob"],
    ["0", "number"],
    ["123", "number"],
    ["1.5", "number"],
    ["1.", "number"],
    [".5", "number"],
    ["1e5", "number"],
    ["1.e+3", "number"],
    ["1E-05", "number"],
    ["0x1F", "number"],
    ["0Xff", "number"],
    ["1_000", "number"],
    ["0xFF_FF", "number"],
    ["1_0.2_5e1_0", "number"],
    ["_a1$", "word"],
    ["naïve", "word"],
    ["日本", "word"],
    ["😀", "word"],
    ["a\uFEFFb", "word"],
    ["x", "word"],
    ["?", "parameter"],
    ["?12", "parameter"],
    [":a", "parameter"],
    ["@a_1", "parameter"],
    ["$a", "parameter"],
    ["$a::b", "parameter"],
    ["$a::b(c)", "parameter"],
    ["$a(b'c)", "parameter"],
    ["--", "comment"],
    ["-- a */ b\r c", "comment"],
    ["/* a\n* / -- */", "comment"],
    ["/**/", "comment"],
    ["/*/", "comment"],
    ["/* never closed; 'x'", "comment"],
    [" \t\n\f\r", "space"],
    [" \v", "space"],
    ["\uFEFF", "space"],
  ])("takes %j for one %s", (sql, kind) => {
    expect(lexed(sql)).toEqual([[kind, sql]]);
  });

  it.each("|| | -> ->> - << <= <> < >> >= > == = != + * / % & ~".split(" "))(
    "takes the operator %s whole",
    (operator) => {
      expect(lexed(`a${operator} b`)).toEqual([
        ["word", "a"],
        ["operator", operator],
        ["space", " "],
        ["word", "b"],
      ]);
    },
  );

  it.each<readonly [string, TokenKind]>([
    ["'it''s", "unterminated"],
    ["'a''", "unterminated"],
    ['"a', "unterminated"],
    ["`a``", "unterminated"],
    ["[a", "unterminated"],
    ["x'ab", "unterminated"],
    ["x'a'", "illegal"],
    ["x'zz'", "illegal"],
    ["0x", "illegal"],
    ["1a", "illegal"],
    ["1e", "illegal"],
    ["1__0", "illegal"],
    ["1_", "illegal"],
    ["1_.5", "illegal"],
    ["0x1_", "illegal"],
    ["1.5x", "illegal"],
    ["1é", "illegal"],
    ["!", "illegal"],
    ["\\", "illegal"],
    ["]", "illegal"],
    ["{", "illegal"],
    ["\v", "illegal"],
    ["@", "illegal"],
    ["$", "illegal"],
    ["#1", "illegal"],
    ["$a(b", "illegal"],
  ])("marks %j as %s", (sql, kind) => {
    expect(lexed(sql)).toEqual([[kind, sql]]);
  });

  it("ends a line comment at the line feed only", () => {
    expect(lexed("-- a\r\nb")).toEqual([
      ["comment", "-- a\r"],
      ["space", "\n"],
      ["word", "b"],
    ]);
  });

  it("does not nest block comments", () => {
    expect(lexed("/*/* a */b")).toEqual([
      ["comment", "/*/* a */"],
      ["word", "b"],
    ]);
  });

  it("takes a comment opener at the very end for two operators", () => {
    expect(lexed("a/*")).toEqual([
      ["word", "a"],
      ["operator", "/"],
      ["operator", "*"],
    ]);
  });

  it("takes a comment inside a word for a separator", () => {
    expect(lexed("SEL/**/ECT")).toEqual([
      ["word", "SEL"],
      ["comment", "/**/"],
      ["word", "ECT"],
    ]);
  });

  it("ends the exponent, the dot and the parameter where they stop fitting", () => {
    expect(lexed("1e+")).toEqual([
      ["illegal", "1e"],
      ["operator", "+"],
    ]);
    expect(lexed("1..2")).toEqual([
      ["number", "1."],
      ["number", ".2"],
    ]);
    expect(lexed("$a(b c)")).toEqual([
      ["illegal", "$a(b"],
      ["space", " "],
      ["word", "c"],
      ["punctuation", ")"],
    ]);
    expect(lexed("?a")).toEqual([
      ["parameter", "?"],
      ["word", "a"],
    ]);
  });

  it("ends the input at a NUL", () => {
    expect(lexed("SELECT 1\0; x")).toEqual([
      ["word", "SELECT"],
      ["space", " "],
      ["number", "1"],
      ["illegal", "\0; x"],
    ]);
    expect(lexed("'a\0b'")).toEqual([
      ["unterminated", "'a"],
      ["illegal", "\0b'"],
    ]);
    expect(lexed("/* a\0*/")).toEqual([
      ["comment", "/* a"],
      ["illegal", "\0*/"],
    ]);
    expect(lexed("|\0|")).toEqual([
      ["operator", "|"],
      ["illegal", "\0|"],
    ]);
  });

  it("takes a byte order mark for space where a token starts", () => {
    expect(lexed("\uFEFFSELECT \uFEFF1")).toEqual([
      ["space", "\uFEFF"],
      ["word", "SELECT"],
      ["space", " "],
      ["space", "\uFEFF"],
      ["number", "1"],
    ]);
  });

  it("has no token for an empty text", () => {
    expect(tokenize("")).toEqual([]);
  });
});

describe("significantTokens", () => {
  it("leaves out white space and comments", () => {
    expect(significantTokens("/* a */ SELECT -- b\n 1").map((token) => token.text)).toEqual(["SELECT", "1"]);
  });
});

describe("nameOf", () => {
  it.each([
    ["Ab", "Ab"],
    ['"a""B"', 'a"B'],
    ["`a``b`", "a`b"],
    ["[a]", "a"],
    ["'it''s'", "it's"],
  ])("reads %s", (sql, name) => {
    expect(tokenize(sql).map(nameOf)).toEqual([name]);
  });
});

describe("wordOf and isName", () => {
  it("tell the words of the text, and what can name a column or a table", () => {
    const tokens = significantTokens("SELECT [a b] 'c' 1");
    expect(tokens.map(wordOf)).toEqual(["select", "", "", ""]);
    expect(tokens.map(isName)).toEqual([true, true, false, false]);
    expect([wordOf(undefined), isName(undefined)]).toEqual(["", false]);
  });
});
