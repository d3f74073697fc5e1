import { describe, expect, it } from "vitest";
import { TokenText } from "../../../synth/simulated/token-text.ts";

const SQL = "SELECT a -- x\nFROM t WHERE b IN (SELECT c FROM u WHERE d = 1) ORDER BY a";

describe("TokenText", () => {
  it("numbers the significant tokens with their depth", () => {
    const text = new TokenText("SELECT (a) -- b");
    expect(text.tokens.map(({ place, word, depth }) => [place, word, depth])).toEqual([
      [0, "select", 0],
      [1, "(", 0],
      [2, "a", 1],
      [3, ")", 0],
    ]);
  });

  it("finds bare words and the end of a clause at its depth", () => {
    const text = new TokenText(SQL);
    const [outer, inner] = text.words("where");
    expect([outer?.place, inner?.place]).toEqual([4, 12]);
    expect(text.endOf(5, 0, new Set(["order", "where"]))).toBe(17);
    expect(text.endOf(13, 1, new Set(["order"]))).toBe(16);
    expect(text.endOf(18, 0, new Set(["limit"]))).toBe(20);
    expect(new TokenText('SELECT "where"').words("where")).toEqual([]);
  });

  it("replaces, takes out and inserts", () => {
    const text = new TokenText(SQL);
    expect(text.replace({ from: 1, to: 2 }, "z")).toBe(SQL.replace("a ", "z "));
    expect(text.replace({ from: 4, to: 17 }, "")).toBe("SELECT a -- x\nFROM t ORDER BY a");
    expect(text.insert(1, "DISTINCT")).toBe(SQL.replace("SELECT a", "SELECT DISTINCT a"));
    expect(text.insert(20, "DESC")).toBe(`${SQL} DESC`);
  });
});
