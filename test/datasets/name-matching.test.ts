import { describe, expect, it } from "vitest";
import { matchName } from "../../datasets/name-matching.ts";

describe("matchName", () => {
  it.each([
    ["ruling", ["ruling", "Ruling"], { name: "ruling", exact: true }],
    [" RULING ", ["ruling"], { name: "ruling", exact: false }],
    ["ruling", ["rulings", "sets"], { name: "rulings", exact: false }],
    ["set translations", ["set_translations"], { name: "set_translations", exact: false }],
    ["SetTranslation", ["set_translations"], { name: "set_translations", exact: false }],
    ["card", ["Card", "CARD"], null],
    ["card", ["deck"], null],
  ])("takes %j among %j for %j", (given, known, expected) => {
    expect(matchName(given, known)).toEqual(expected);
  });
});
