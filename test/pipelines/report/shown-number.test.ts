import { expect, it } from "vitest";
import { showNumber } from "../../../pipelines/report/shown-number.ts";

it.each([
  [null, "count", "–"],
  [0, "count", "0"],
  [1_234_567, "count", "1,234,567"],
  [0.58111, "percent", "58.1"],
  [1, "percent", "100.0"],
  [1234.5, "money", "$1,234.50"],
  [0.000_25, "money", "$0.00025"],
  [0, "money", "$0.00"],
  [2.345, "decimal", "2.35"],
  [1234.5, "decimal", "1,235"],
  [-1500, "plain", "-1,500"],
  [0.123_456, "plain", "0.1235"],
] as const)("shows %s as %s: %s", (value, form, shown) => {
  expect(showNumber(value, form)).toBe(shown);
});
