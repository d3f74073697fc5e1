import { describe, expect, it } from "vitest";
import { oneLineCell, oneLineText, shortenText } from "../../synth/one-line-text.ts";

describe("oneLineText", () => {
  it.each([
    ["plain äöü 日本", "plain äöü 日本"],
    ["a\nb\r\nc\td", "a\\nb\\r\\nc\\td"],
    ["nul\0bell\u0007", "nul\\u0000bell\\u0007"],
    ["\u2028\u2029\u0085", "\\u2028\\u2029\\u0085"],
    ["rtl\u202Eoverride\u200B", "rtl\\u202eoverride\\u200b"],
    ["lone \uD800.", "lone \\ud800."],
    ["pair 😀", "pair 😀"],
    ["tag \u{E0041}", "tag \\udb40\\udc41"],
    ["C:\\new", "C:\\new"],
  ])("writes %j in one line", (text, expected) => {
    expect(oneLineText(text)).toBe(expected);
  });
});

describe("oneLineCell", () => {
  it("tells a written backslash from an escape", () => {
    expect(oneLineCell("C:\\new")).toBe("C:\\\\new");
    expect(oneLineCell("C:\new")).toBe("C:\\new");
  });
});

describe("shortenText", () => {
  it.each([
    ["abc", 3, "abc"],
    ["abcd", 3, "abc…"],
    ["abc…", 3, "abc…"],
    ["abcd…", 3, "abc…"],
    ["😀😀😀", 3, "😀😀😀"],
    ["😀😀😀😀", 3, "😀😀😀…"],
    ["", 1, ""],
  ])("cuts %j to %i characters", (text, most, expected) => {
    expect(shortenText(text, most)).toBe(expected);
  });
});
