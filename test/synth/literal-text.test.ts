import { expect, it } from "vitest";
import type { ShownCell } from "../../core/sql-runner.ts";
import { literalText } from "../../synth/literal-text.ts";

it.each<[ShownCell, string]>([
  [null, "NULL"],
  [1.5, "1.5"],
  [{ integer: "9007199254740993" }, "9007199254740993"],
  [{ real: "Infinity" }, "Infinity"],
  [{ blob: "00ff" }, "x'00ff'"],
  [{ blob: "0011223344" }, "x'00112233…'"],
  ["O'Brien", "'O''Brien'"],
  ["a\\b", "'a\\b'"],
  ["a\nb", "'a\\nb'"],
  ["\u202E", "'\\u202e'"],
  ["123456789", "'12345678…'"],
  ["", "''"],
])("writes %j as %s", (cell, text) => {
  expect(literalText(cell, 8)).toBe(text);
});
