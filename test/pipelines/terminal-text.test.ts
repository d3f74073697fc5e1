import { describe, expect, it } from "vitest";
import { PLAIN_STYLE, safeJson, safeLines, styleFor, TERMINAL_STYLE } from "../../pipelines/terminal-text.ts";

/** Clears a screen, sets a title, overrides the direction of text, hides it, and breaks lines in other ways. */
const HOSTILE = "a\u001B[2Jb\u009B1mc\u202Ed\u2066e\u200Bf\u2028g\u0007h\u{E0041}i\rj\u007Fk";

describe("safeLines", () => {
  it("writes what takes hold of a terminal as text", () => {
    expect(safeLines(HOSTILE, null)).toEqual([
      String.raw`a\u001b[2Jb\u009b1mc\u202ed\u2066e\u200bf\u2028g\u0007h\udb40\udc41i\rj\u007fk`,
    ]);
  });

  it("keeps lines as lines, whichever way they end", () => {
    expect(safeLines("SELECT 1\r\n\tFROM t\n", null)).toEqual(["SELECT 1", String.raw`\tFROM t`, ""]);
  });

  it.each([
    ["lines", "1\n2\n3", { maxLines: 2, maxCharacters: 100 }, ["1", "2", "… 5 characters in 3 lines"]],
    ["characters", "12345\n6", { maxLines: 9, maxCharacters: 3 }, ["123…", "… 7 characters in 2 lines"]],
    ["neither", "1\n2", { maxLines: 2, maxCharacters: 3 }, ["1", "2"]],
  ])("says how much there is when there are too many %s", (_what, text, bounds, expected) => {
    expect(safeLines(text, bounds)).toEqual(expected);
  });
});

describe("safeJson", () => {
  it("parses to the same value", () => {
    const value = { text: HOSTILE, list: ["\n", "\uD800", "é 雪 😀"] };
    expect(JSON.parse(safeJson(value))).toEqual(value);
  });

  it("has no character that takes hold of a terminal, and leaves letters as they are", () => {
    const json = safeJson({ text: HOSTILE, other: "é 雪 😀" });
    expect(json).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    expect(json).toContain('"é 雪 😀"');
  });
});

describe("styleFor", () => {
  it.each([
    ["a terminal", { isTTY: true }, {}, TERMINAL_STYLE],
    ["a pipe", {}, {}, PLAIN_STYLE],
    ["a terminal without colour", { isTTY: true }, { NO_COLOR: "1" }, PLAIN_STYLE],
    ["a terminal with an empty NO_COLOR", { isTTY: true }, { NO_COLOR: "" }, TERMINAL_STYLE],
    ["a dumb terminal", { isTTY: true }, { TERM: "dumb" }, PLAIN_STYLE],
  ])("fits %s", (_what, stream, environment, expected) => {
    expect(styleFor(stream, environment)).toBe(expected);
  });

  it("ends what it begins", () => {
    expect([TERMINAL_STYLE.dim("x"), TERMINAL_STYLE.bold("x")]).toEqual([
      "\u001B[2mx\u001B[22m",
      "\u001B[1mx\u001B[22m",
    ]);
    expect([PLAIN_STYLE.dim("x"), PLAIN_STYLE.bold("x")]).toEqual(["x", "x"]);
  });
});
