import { describe, expect, it } from "vitest";
import { isReserved, writtenName } from "../../sql/reserved-words.ts";

describe("isReserved", () => {
  it("knows words of the grammar from names", () => {
    expect(["select", "natural", "between", "end"].every(isReserved)).toBe(true);
    expect(["name", "rank", "over", "year", "SELECT", ""].some(isReserved)).toBe(false);
  });
});

describe("writtenName", () => {
  it.each([
    ["Name", "name"],
    ["Größe", "größe"],
    ["home port", '"home port"'],
    ["Order", '"order"'],
    ["2nd", '"2nd"'],
    ["", '""'],
  ])("%s", (name, expected) => {
    expect(writtenName(name)).toBe(expected);
  });
});
