import { expect, it } from "vitest";
import { curriculumTables } from "../../pipelines/curriculum-tables.ts";
import { renderCurriculumTables } from "../../pipelines/render-curriculum-tables.ts";

function place(hardness: string | null, n: number, c: number, isComplete = true) {
  return { hardness, n, c, isComplete };
}

const TABLES = curriculumTables([
  place("hard", 16, 0),
  place("easy", 16, 16),
  place("easy", 16, 15),
  place("easy", 10, 2),
  place("hard", 32, 1),
  place(null, 4, 2),
  place("easy", 0, 0),
  place("easy", 4, 1, false),
]);

it("counts questions by hardness and share of right samples", () => {
  expect(TABLES.rates).toEqual([
    { hardness: "easy", questions: [0, 1, 0, 0, 0, 1, 1], total: 3 },
    { hardness: "hard", questions: [1, 1, 0, 0, 0, 0, 0], total: 2 },
    { hardness: "unknown", questions: [0, 0, 0, 1, 0, 0, 0], total: 1 },
  ]);
  expect(TABLES.unrated).toBe(2);
});

it("tells what other bounds would keep", () => {
  const row = (trivialFrom: number, intractableTo: number) =>
    TABLES.thresholds.find((one) => one.trivialFrom === trivialFrom && one.intractableTo === intractableTo);
  expect(row(1, 0)).toMatchObject({ trivial: 1, intractable: 1, kept: 4 });
  expect(row(0.9, 0.1)).toMatchObject({ trivial: 2, intractable: 2, kept: 2 });
  expect(row(0.75, 0.25)).toMatchObject({ trivial: 2, intractable: 3, kept: 1 });
});

it("shows both to a person", () => {
  const lines = renderCurriculumTables(TABLES).split("\n");
  expect(lines[0]).toBe("samples right  0  to 20%  to 40%  to 60%  to 80%  below 100%  100%  all");
  expect(lines[1]).toBe("easy           .       1       .       .       .           1     1    3");
  expect(lines).toContain(
    "2 questions have no pass rate: they cannot be judged, or their sampling ended early",
  );
  expect(lines.filter((line) => /^90% +10% +2 +2 +2$/.test(line))).toHaveLength(1);
});
