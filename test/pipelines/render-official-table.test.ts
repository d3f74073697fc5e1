import { expect, it } from "vitest";
import type { TableColumn } from "../../curation/official-table.ts";
import { renderOfficialTables } from "../../pipelines/render-official-table.ts";

function column(name: string, count: number, metrics: TableColumn["metrics"]): TableColumn {
  return { name, count, metrics };
}

it("shows percentages by difficulty, official metrics first, with what is unscored", () => {
  const columns = [
    column("simple", 3, { rex: { scored: 3, mean: 1 / 3 }, "bird-ex": { scored: 3, mean: 2 / 3 } }),
    column("moderate", 0, {}),
    column("total", 4, { rex: { scored: 3, mean: 1 / 3 }, "bird-ex": { scored: 4, mean: 1 } }),
  ];
  expect(renderOfficialTables([{ by: "difficulty", columns, unleveled: 1 }]).split("\n")).toEqual([
    "by difficulty  simple  moderate   total",
    "count               3         0       4",
    "official, percent",
    "  bird-ex       66.67         -  100.00",
    "others, percent",
    "  rex           33.33         -   33.33",
    "    unscored        0         0       1",
    "1 without a level, counted in total alone",
  ]);
});

it("shows shares by hardness, and components below", () => {
  const partial = { where: { accuracy: 0.5, recall: 0.25, f1: 1 / 3 } };
  const metrics = { "spider-em": { scored: 8, mean: 0.625, partial } };
  const columns = [
    column("easy", 8, metrics),
    column("all", 8, metrics),
    column("joint", 2, { "spider-em": { scored: 2, mean: 0.5 } }),
  ];
  expect(renderOfficialTables([{ by: "hardness", columns, unleveled: 0 }]).split("\n")).toEqual([
    "by hardness   easy    all  joint",
    "count            8      8      2",
    "official",
    "  spider-em  0.625  0.625  0.500",
    "partial accuracy, spider-em",
    "  where      0.500  0.500      -",
    "partial recall, spider-em",
    "  where      0.250  0.250      -",
    "partial F1, spider-em",
    "  where      0.333  0.333      -",
  ]);
});

it("puts a blank line between tables and shows nothing of none", () => {
  const columns = [column("turn 1", 1, {}), column("all", 1, {})];
  const one = { by: "turn", columns, unleveled: 0 } as const;
  expect(renderOfficialTables([one, one])).toBe(
    "by turn  turn 1  all\ncount         1    1\n\nby turn  turn 1  all\ncount         1    1",
  );
  expect(renderOfficialTables([])).toBe("");
});

it("says where the official script would have rewritten predictions, below its own metrics alone", () => {
  const withMetric = (metric: string) =>
    renderOfficialTables([
      {
        by: "turn",
        columns: [column("turn 1", 1, { [metric]: { scored: 1, mean: 1 } })],
        unleveled: 0,
        withValue: 2,
      },
    ]);
  expect(withMetric("spider-ex").split("\n").at(-1)).toBe(
    '2 predictions contain "value", judged as written; the official script writes 1 in its place',
  );
  expect(withMetric("rex")).not.toContain("value");
});
