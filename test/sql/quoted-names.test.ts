import { expect, it } from "vitest";
import { quotedName, quotedText } from "../../sql/quoted-names.ts";

it("doubles the quotes inside", () => {
  expect(quotedName('a "b"')).toBe('"a ""b"""');
  expect(quotedText("O'Brien")).toBe("'O''Brien'");
});
