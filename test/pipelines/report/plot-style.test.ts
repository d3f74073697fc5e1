import { expect, it } from "vitest";
import { leftMargin, plotLabel, rampColour, seriesColour } from "../../../pipelines/report/plot-style.ts";

it("gives colours by place", () => {
  expect([seriesColour(0), seriesColour(5), seriesColour(6)]).toEqual([
    "var(--series-1)",
    "var(--series-6)",
    "var(--series-1)",
  ]);
  expect([rampColour(0, 4), rampColour(3, 4), rampColour(0, 1)]).toEqual([
    "var(--ramp-1)",
    "var(--ramp-5)",
    "var(--ramp-1)",
  ]);
});

it("shortens names to what a narrow plot has room for", () => {
  expect(plotLabel("short", 344)).toBe("short");
  expect(plotLabel("x".repeat(60), 344)).toBe(`${"x".repeat(17)}…`);
  expect(plotLabel("a\n\u202Eb", 752)).toBe(String.raw`a\n\u202eb`);
  expect(leftMargin(["x".repeat(90)], 344)).toBeLessThan(344 / 2);
});
