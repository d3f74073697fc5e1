import { expect, it } from "vitest";
import { elapsedMs, timeOfDay } from "../../io/clock.ts";

it("elapsed time never goes back", () => {
  const times = Array.from({ length: 100 }, () => elapsedMs());
  expect(times).toEqual([...times].sort((left, right) => left - right));
});

it("the time of day is ISO 8601 in UTC", () => {
  expect(timeOfDay()).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});
