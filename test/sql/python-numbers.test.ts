import { describe, expect, it } from "vitest";
import { parsePythonFloat, parsePythonInteger } from "../../sql/python-numbers.ts";

describe("parsePythonInteger", () => {
  it.each([
    ["3", 3],
    ["007", 7],
    ["-3", -3],
    ["+3", 3],
    ["1_000", 1000],
  ])("reads %s", (text, value) => {
    expect(parsePythonInteger(text)).toBe(value);
  });

  it.each(["", "1.0", "1e2", "_1", "1_", "1__0", "0x1", "a", "--1"])("refuses %j", (text) => {
    expect(parsePythonInteger(text)).toBeUndefined();
  });
});

describe("parsePythonFloat", () => {
  it.each([
    ["3", 3],
    ["3.5", 3.5],
    ["3.", 3],
    [".5", 0.5],
    ["-.5e1", -5],
    ["1e2", 100],
    ["1E+2", 100],
    ["1_000.5_0", 1000.5],
    ["inf", Infinity],
    ["-Infinity", -Infinity],
    ["nan", Number.NaN],
    ["-NaN", Number.NaN],
  ])("reads %s", (text, value) => {
    expect(parsePythonFloat(text)).toBe(value);
  });

  it.each(["", ".", "e5", "1e", "1__0", "1_.5", "1._5", "0x1", "infinit", "1.2.3", "1,2", "nano"])(
    "refuses %j",
    (text) => {
      expect(parsePythonFloat(text)).toBeUndefined();
    },
  );
});
