import { expect, it } from "vitest";
import { renderCurriculumTables } from "../../pipelines/render-curriculum-tables.ts";

it("aligns counts below their bands", () => {
  const text = renderCurriculumTables({
    bands: ["0", "100%"],
    rates: [{ hardness: "easy", questions: [0, 12], total: 12 }],
    unrated: 1,
    thresholds: [{ trivialFrom: 1, intractableTo: 0, trivial: 12, intractable: 0, kept: 0 }],
  });
  expect(text.split("\n").slice(0, 2)).toEqual([
    "samples right  0  100%  all",
    "easy           .    12   12",
  ]);
  expect(text.split("\n").at(-1)).toBe("100%                      0%       12            0     0");
});
