import { expect, it } from "vitest";
import { evaluationTables, tablesOf } from "../../../pipelines/report/evaluation-tables.ts";
import { openReportSource } from "../../../pipelines/report/report-source.ts";
import { temporaryFolder } from "../../temporary-folder.ts";

it("makes tables of lists of records and of single values, under their names", () => {
  const document = {
    version: 2,
    systems: [
      { name: "a", ex: { mean: 0.5 } },
      { name: "b", bold: true, list: [1] },
    ],
    overall: { "pass@1": 0.25, deeper: { n: 3 } },
    notes: ["no", "records"],
  };
  expect(tablesOf(document)).toEqual([
    { title: "evaluation", columns: ["", "value"], rows: [["version", 2]], more: 0 },
    {
      title: "systems",
      columns: ["name", "ex.mean", "bold"],
      rows: [
        ["a", 0.5, null],
        ["b", null, true],
      ],
      more: 0,
    },
    { title: "overall", columns: ["", "value"], rows: [["pass@1", 0.25]], more: 0 },
    { title: "overall › deeper", columns: ["", "value"], rows: [["n", 3]], more: 0 },
  ]);
});

it("bounds rows and tells how many it left out", () => {
  const rows = Array.from({ length: 250 }, (_, index) => ({ index }));
  expect(tablesOf({ rows })[0]).toMatchObject({ more: 50 });
});

it("finds the file in the run's folder", async () => {
  const runs = await temporaryFolder({
    "r/recipe.lock.json": '{"command":"x"}',
    "r/evaluation.json": '{"n":1}',
  });
  expect(await evaluationTables(await openReportSource(runs, "r"))).toHaveLength(1);
});
