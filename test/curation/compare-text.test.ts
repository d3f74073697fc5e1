import { expect, it } from "vitest";
import { compareText } from "../../curation/compare-text.ts";

it("orders by code unit, not by language", () => {
  expect(["é", "z", "Z", "a", "10", "9", "𝄞", "\uFFFD", ""].sort(compareText)).toEqual([
    "",
    "10",
    "9",
    "Z",
    "a",
    "z",
    "é",
    "𝄞",
    "\uFFFD",
  ]);
  expect(compareText("a", "a")).toBe(0);
});
