import { describe, expect, it } from "vitest";
import {
  commentText,
  cutText,
  holdsText,
  identifier,
  sameName,
  typeText,
  valueText,
  visibleText,
  withoutTags,
} from "../../datasets/schema-text.ts";

describe("identifier", () => {
  it.each([
    ["member", "member"],
    ["_a1", "_a1"],
    ["1a", "`1a`"],
    ["", "``"],
    ["full name", "`full name`"],
    ["Order", "`Order`"],
    ["a`b", "`a``b`"],
    ["naïve", "`naïve`"],
    ["a\nb", "`a\\nb`"],
    ["a".repeat(257), `\`${"a".repeat(256)}...\``],
  ])("writes %j as %s", (name, expected) => {
    expect(identifier(name)).toBe(expected);
  });
});

describe("typeText", () => {
  it.each([
    ["", ""],
    [" varchar( 20 ) ", "varchar"],
    ["varchar(20)", "varchar(20)"],
    ["NUMERIC(10, 2)", "NUMERIC(10, 2)"],
    ["unsigned  big\nint", "unsigned big int"],
    ["INTEGER PRIMARY KEY", "INTEGER"],
    ["TEXT); DROP", "TEXT"],
    ["x".repeat(61), "x".repeat(60)],
  ])("writes %j as %j", (type, expected) => {
    expect(typeText(type)).toBe(expected);
  });
});

describe("valueText", () => {
  it.each([
    ["12", false, "12"],
    ["-1.5e3", false, "-1.5e3"],
    ["12", true, "'12'"],
    ["n/a", false, "'n/a'"],
    ["O'Neil\n", true, "'O''Neil\\n'"],
    ["abcdefghijk", true, "'abcdefghij...'"],
  ])("writes %j in a text column %s as %s", (value, isText, expected) => {
    expect(valueText(value, isText, 10)).toBe(expected);
  });
});

describe("withoutTags", () => {
  it.each([
    ["<think>", "\\u{3c}think>"],
    ["</ s>", "\\u{3c}/ s>"],
    ["< /s>", "\\u{3c} /s>"],
    ["< |x", "\\u{3c} |x"],
    ["<\uFF5Cend", "\\u{3c}\uFF5Cend"],
    ["<é", "\\u{3c}é"],
    ["a < b, 1<2, <= <", "a < b, 1<2, <= <"],
  ])("writes %j as %j", (text, expected) => {
    expect(withoutTags(text)).toBe(expected);
  });
});

it("text stays visible, on one line and within its length", () => {
  expect(visibleText("a\r\n\t\u0085\u202E<|x|>")).toBe("a\\r\\n\\t\\u{85}\\u{202e}< |x| >");
  expect(commentText(" a\n b ", 10)).toBe("a b");
  expect(commentText("abcd", 3)).toBe("abc...");
  expect(cutText("ab😀", 3)).toBe("ab...");
  expect(cutText("ab😀", 4)).toBe("ab😀");
  expect(cutText("abc", 2, "")).toBe("ab");
});

it("types hold text by SQLite's rule, and names are compared without case", () => {
  expect(["VARCHAR(9)", "clob", "Text", "CHARINT", "date", ""].map(holdsText)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
  expect(sameName("Member", "mEMBER")).toBe(true);
  expect(sameName("a", "b")).toBe(false);
});
