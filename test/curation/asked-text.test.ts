import { describe, expect, it } from "vitest";
import { askedText, hasPhrase, isSpokenOf, numbersIn, stemsOf } from "../../curation/asked-text.ts";
import { harbourExample } from "./check-subject.ts";

const GOLD = "SELECT 1";

describe("askedText", () => {
  it("has the words, numbers and quoted names of a question", () => {
    const asked = askedText(
      harbourExample({
        question: "Which of “Tern” and 'Puffin's nest' has 1,200 or twenty seats?",
        gold: GOLD,
        evidence: "seats > 3",
      }),
    );
    expect(asked.quoted).toEqual(["Tern", "Puffin's nest"]);
    expect(asked.numbers).toEqual([1200, 20]);
    expect([...asked.allNumbers]).toEqual([1200, 20, 3]);
    expect(asked.stems.has("seat")).toBe(true);
    expect(asked.evidence).toBe("seats > 3");
  });

  it("asks by its own words, and may speak of what was said before", () => {
    const example = harbourExample({ question: "How many of them have 3 seats?", gold: GOLD });
    const asked = askedText({
      ...example,
      history: [{ question: "Which 2 boats are ferries?", gold: null }],
    });
    expect([asked.question, asked.numbers]).toEqual(["how many of them have 3 seats?", [3]]);
    expect(asked.said).toContain("which 2 boats");
    expect([...asked.allNumbers]).toEqual([2, 3]);
    expect(isSpokenOf("Ferry", asked)).toBe(true);
  });

  it("is read once for an example", () => {
    const example = harbourExample({ question: "Boats?", gold: GOLD });
    expect(askedText(example)).toBe(askedText(example));
  });
});

it("numbers are digits and words", () => {
  expect(numbersIn("3.5 of thirty, not 2,000 or first")).toEqual([3.5, 30, 2000]);
});

it("stems drop plurals", () => {
  expect(stemsOf("Boats' IDs")).toEqual(["boat", "id"]);
});

it("phrases are whole words", () => {
  expect(hasPhrase("the most recent boat", ["most recent"])).toBe(true);
  expect(hasPhrase("almost recently", ["most recent"])).toBe(false);
});

it.each([
  ["Ferry", true],
  ["FERRY BOAT", true],
  ["2019-01-05", true],
  ["M", true],
  ["Submarine", false],
])("whether a question about ferries speaks of %s: %s", (value, expected) => {
  const asked = askedText(harbourExample({ question: "Which boats are ferries?", gold: GOLD }));
  expect(isSpokenOf(value, asked)).toBe(expected);
});
