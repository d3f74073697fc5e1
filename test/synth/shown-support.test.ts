import { expect, it } from "vitest";
import { literalsOf, namesOf, ShownSupport } from "../../synth/shown-support.ts";

function shown(...texts: string[]): ShownSupport {
  const support = new ShownSupport();
  for (const text of texts) support.add(text);
  return support;
}

it("a string has a ground in its words, their stems, or a code for one of them", () => {
  const support = shown("Which female singers from the Netherlands are active since 2010?");
  for (const value of ["Netherlands", "netherland%", "F", "%act%", "2010-01-01", "%Y-%m", "now", ""]) {
    expect([value, support.supportsText(value)]).toEqual([value, true]);
  }
  for (const value of ["Zephyr", "XK-4271"])
    expect([value, support.supportsText(value)]).toEqual([value, false]);
});

it("a number has a ground in digits, in words, or is a plain one", () => {
  const support = shown("the three ships of 2 million and 1,500 tons since 1990");
  for (const value of ["3", "2000000", "1500", "1990", "1", "100"]) {
    expect([value, support.supportsNumber(value)]).toEqual([value, true]);
  }
  for (const value of ["1847", "42"]) expect([value, support.supportsNumber(value)]).toEqual([value, false]);
});

it("names of a query are its tables and columns, without what it names itself", () => {
  expect(
    namesOf("SELECT T1.a, count(*) AS n FROM ships AS T1 JOIN ports p ON T1.x = p.y ORDER BY n"),
  ).toEqual(["a", "ships", "ports", "x", "y"]);
  expect(literalsOf("SELECT 'a', 2 FROM t WHERE x = 'b'")).toEqual({ strings: ["a", "b"], numbers: ["2"] });
});
