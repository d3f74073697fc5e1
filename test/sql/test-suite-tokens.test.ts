import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { firstStatementTokens, testSuiteTokens } from "../../sql/test-suite-tokens.ts";

function texts(sql: string): string[] {
  return testSuiteTokens(sql).flatMap(({ kind, text }) => (kind === "space" ? [] : [text]));
}

function first(sql: string): string {
  return firstStatementTokens(sql)
    .map(({ text }) => text)
    .join("");
}

describe("testSuiteTokens", () => {
  it.each<[string, string, string[]]>([
    ["words and signs", "SELECT t1.a,b FROM t", ["SELECT", "t1", ".", "a", ",", "b", "FROM", "t"]],
    ["operators", "a>=1 AND b||c<>d", ["a", ">=", "1", "AND", "b", "||", "c", "<>", "d"]],
    ["negative numbers", "a -1.5 -2 3e-4", ["a", "-1.5", "-2", "3e-4"]],
    ["a number that runs into a word", "12a", ["1", "2a"]],
    ["doubled quotes", "'it''s' \"a\"\"b\"", ["'it''s'", '"a""b"']],
    ["a quote escaped by a backslash", "'a\\'b'", ["'a\\'b'"]],
    ["a backslash before the last quote", "'a\\' b", ["'a\\'", "b"]],
    ["a quote that is not closed", "'a b", ["'", "a", "b"]],
    ["quoted names", "`a b` [c d] ´e f´", ["`a b`", "[c d]", "´e f´"]],
    ["comments", "a -- b\n/* c\n */ # d\n#e", ["a", "-- b\n", "/* c\n */", "# d\n", "#", "e"]],
    ["a block comment without an end", "/* a", ["/", "*", "a"]],
    ["line breaks", "a\r\nb", ["a", "\r\n", "b"]],
    ["characters of no kind", "a 𝄞 {", ["a", "𝄞", "{"]],
    ["placeholders", "? :a $b %s", ["?", ":a", "$b", "%s"]],
  ])("cuts %s", (_, sql, expected) => {
    expect(texts(sql)).toEqual(expected);
  });

  it("leaves nothing out and never throws", () => {
    const pieces = constantFrom(
      "'",
      '"',
      "`",
      "[",
      "]",
      "--",
      "/*",
      "*/",
      "\\",
      ";",
      "(",
      "a",
      "1",
      ".",
      "\n",
      "é",
    );
    assert(
      property(array(oneof(pieces, string({ unit: "binary" }))), (parts) => {
        const sql = parts.join("");
        expect(
          testSuiteTokens(sql)
            .map(({ text }) => text)
            .join(""),
        ).toBe(sql);
      }),
    );
  });
});

describe("firstStatementTokens", () => {
  it.each<[string, string, string]>([
    ["the whole of one statement", "SELECT 1", "SELECT 1"],
    ["no second statement", "SELECT 1; SELECT 2", "SELECT 1; "],
    ["a comment behind the end", "SELECT 1; -- a\nSELECT 2", "SELECT 1; -- a\n"],
    ["no line break behind the end", "SELECT 1;\nSELECT 2", "SELECT 1;"],
    ["an empty one", "; SELECT 1", "; "],
    ["what begins with white space", "\n SELECT 1", "\n SELECT 1"],
    ["a semicolon in a literal", "SELECT ';'; SELECT 2", "SELECT ';'; "],
    ["a semicolon in parentheses", "SELECT (1; SELECT 2", "SELECT (1; SELECT 2"],
    [
      "parentheses that END closes",
      "SELECT (CASE WHEN 1 THEN 2 END; SELECT 2",
      "SELECT (CASE WHEN 1 THEN 2 END; ",
    ],
    ["a comment alone", "-- a", "-- a"],
    ["nothing of a blank text", " \n\t", ""],
    ["nothing of no text", "", ""],
  ])("has %s", (_, sql, expected) => {
    expect(first(sql)).toBe(expected);
  });
});
