import { describe, expect, it } from "vitest";
import { foldText, isNear, planSearch, searchExpression, trigramsOf } from "../../io/search-text.ts";

const NOT_COMMON = (): undefined => undefined;

function expressionOf(text: string, matcher: "trigram" | "words"): string | null {
  const plan = planSearch(text, matcher);
  return plan === null ? null : searchExpression(plan, NOT_COMMON);
}

it("folds case, accents, control characters and white space", () => {
  expect(foldText("  Café\u0000\n ÅNGSTRÖM\u0301 한글 ")).toBe("cafe angstrom 한글");
});

it("trigrams are of code points, each once", () => {
  expect([...trigramsOf("banana")]).toEqual(["ban", "ana", "nan"]);
  expect([...trigramsOf("a😀b😀")]).toEqual(["a😀b", "😀b😀"]);
  expect([...trigramsOf("ab")]).toEqual([]);
});

describe("an expression", () => {
  it("is quoted words or trigrams, any of them", () => {
    expect(expressionOf("Red Car", "words")).toBe('"red" OR "car"');
    expect(expressionOf("Redx", "trigram")).toBe('"red" OR "edx"');
  });

  it("has nothing of the text as syntax", () => {
    expect(expressionOf('a"b OR c*', "words")).toBe('"a" OR "b" OR "or" OR "c"');
    expect(expressionOf('x"y', "trigram")).toBe('"x""y"');
    expect(expressionOf("NEAR(\0", "words")).toBe('"near"');
  });

  it("of a text too short for trigrams is of words and their beginnings", () => {
    expect(expressionOf("IL", "trigram")).toBe('"il" OR "il"*');
    expect(expressionOf("IL", "words")).toBe('"il"');
  });

  it("is none where nothing is left to look for", () => {
    for (const text of ["", "  ", "-", "?!", "\uD800"]) expect(expressionOf(text, "trigram")).toBeNull();
    expect(expressionOf("---", "words")).toBeNull();
  });

  it("is bounded, whatever the text", () => {
    const long = Array.from({ length: 100_000 }, (_, index) => `w${index}`).join(" ");
    expect(planSearch(long, "trigram")?.terms.length).toBe(160);
    expect(planSearch(long, "words")?.terms.length).toBe(64);
  });

  it("leaves out common terms but the rarest once they are too many together", () => {
    const values: Record<string, number> = { the: 900_000, of: 300_000, city: 90_000, in: 500_000 };
    const plan = planSearch("the city of Oslo in winter", "words");
    if (plan === null) throw new Error("no plan");
    expect(searchExpression(plan, (term) => values[term])).toBe('"city" OR "of" OR "oslo" OR "winter"');
    const common = planSearch("the in", "words");
    if (common === null) throw new Error("no plan");
    expect(searchExpression(common, (term) => values[term])).toBe('"the" OR "in"');
  });
});

it.each([
  ["Spiderman", "Spider-Man", true],
  ["Micheal", "Michael", true],
  ["Peter Parker", "Peter Benjamin Parker", true],
  ["members from Illinois in the club", "Illinois", true],
  ["Marvel", "Captain Marvel", true],
  ["Stark Industries", "Mark", false],
  ["Spiderman comics", "Sherman County", false],
])("%s is near %s: %s", (text, value, expected) => {
  const wanted = planSearch(text, "trigram")?.wanted;
  if (wanted === null || wanted === undefined) throw new Error("nothing is wanted");
  expect(isNear(wanted, value)).toBe(expected);
});
