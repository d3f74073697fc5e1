import { expect, it } from "vitest";
import { ProfileOptions, SearchReply } from "../../core/database-profiler.ts";

it("has bounds unless others are given", () => {
  expect(ProfileOptions.parse({ maxValues: 10 })).toEqual({
    samplesPerColumn: 5,
    maxValuesPerColumn: 200_000,
    maxValueCharacters: 200,
    maxValues: 10,
    minContained: 0.99,
  });
  expect(ProfileOptions.safeParse({ minContained: 2 }).success).toBe(false);
  expect(ProfileOptions.safeParse({ maxRows: 2 }).success).toBe(false);
});

it("gives matches of names and of values", () => {
  const reply = {
    names: [
      { table: "boat", column: null, score: 2 },
      { table: "boat", column: "name", score: 1.5 },
    ],
    values: [{ table: "boat", column: "name", value: "Gull", score: 3 }],
  };
  expect(SearchReply.parse(reply)).toEqual(reply);
  const nameless = { names: [{ table: "boat", score: 2 }], values: [] };
  expect(SearchReply.safeParse(nameless).success).toBe(false);
});
