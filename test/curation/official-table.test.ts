import { describe, expect, it } from "vitest";
import { scored, scoredWith, unscored, type Verdict } from "../../core/verdict.ts";
import {
  type OfficialTable,
  OfficialTables,
  type TableColumn,
  type TableLine,
} from "../../curation/official-table.ts";

function line(verdict: Verdict | number, more: Partial<TableLine> = {}): TableLine {
  const verdicts = { same: typeof verdict === "number" ? scored(verdict) : verdict };
  return { hardness: null, difficulty: null, dialogue: null, verdicts, ...more };
}

function turn(verdict: Verdict | number, place: number, id: string | null = null): TableLine {
  return line(verdict, { dialogue: { id, turn: place } });
}

function tablesOf(lines: readonly TableLine[]): OfficialTable[] {
  const tables = new OfficialTables();
  for (const one of lines) tables.add(one);
  return tables.finish();
}

/** Name, count and mean of each column. */
function figures(table: OfficialTable | undefined): unknown[] {
  return (table?.columns ?? []).map(({ name, count, metrics }) => [
    name,
    count,
    metrics["same"]?.mean ?? null,
  ]);
}

describe("the table by difficulty", () => {
  it("averages each level, and all lines together", () => {
    const [table, ...others] = tablesOf([
      line(1, { difficulty: "simple" }),
      line(1, { difficulty: "simple" }),
      line(0, { difficulty: "simple" }),
      line(0.5, { difficulty: "challenging" }),
      line(0, { difficulty: "absurd" }),
      line(1),
    ]);
    expect(others).toEqual([]);
    expect(table).toMatchObject({ by: "difficulty", unleveled: 2 });
    expect(figures(table)).toEqual([
      ["simple", 3, 2 / 3],
      ["moderate", 0, null],
      ["challenging", 1, 0.5],
      ["total", 6, 3.5 / 6],
    ]);
  });

  it("keeps unscored lines out of means, in the count", () => {
    const [table] = tablesOf([
      line(1, { difficulty: "moderate" }),
      line(unscored("gold_error", ""), { difficulty: "moderate" }),
    ]);
    expect(table?.columns[1]).toEqual({
      name: "moderate",
      count: 2,
      metrics: { same: { scored: 1, mean: 1 } },
    });
  });

  it("is not there without a level", () => {
    expect(tablesOf([])).toEqual([]);
    expect(tablesOf([line(1), line(0, { difficulty: "hard", hardness: "simple" })])).toEqual([]);
  });
});

/** Accuracy, recall and F1 all the same, then the items in gold and prediction. */
function parts(where: number, inGold: number, inPrediction: number): Verdict {
  return scoredWith(0, { where: [where, where, where, inGold, inPrediction], other: 7 });
}

describe("the table by hardness", () => {
  it("has Spider's levels, and everything under all", () => {
    const [table] = tablesOf([
      line(1, { hardness: "easy" }),
      line(0, { hardness: "extra" }),
      line(1, { hardness: "extra" }),
      line(0),
    ]);
    expect(table).toMatchObject({ by: "hardness", unleveled: 1 });
    expect(figures(table)).toEqual([
      ["easy", 1, 1],
      ["medium", 0, null],
      ["hard", 0, null],
      ["extra", 2, 0.5],
      ["all", 4, 0.5],
    ]);
  });

  it("averages a component over the predictions, and over the golds, that have it", () => {
    const lines = [parts(1, 2, 2), parts(0, 1, 0), parts(0, 0, 1), parts(0, 3, 1), parts(1, 0, 0)];
    const [table] = tablesOf(lines.map((verdict) => line(verdict, { hardness: "hard" })));
    // One of three predictions, one of three golds.
    expect(table?.columns[2]?.metrics["same"]?.partial).toEqual({
      where: { accuracy: 1 / 3, recall: 1 / 3, f1: 1 / 3 },
    });
    expect(table?.columns[0]?.metrics["same"]).toBeUndefined();
  });

  it("takes both as 0 and F1 as 1 where nothing has the component", () => {
    const [table] = tablesOf([line(parts(1, 0, 0), { hardness: "easy" })]);
    expect(table?.columns[0]?.metrics["same"]?.partial).toEqual({ where: { accuracy: 0, recall: 0, f1: 1 } });
  });

  it("weighs accuracy and recall equally in F1", () => {
    const lines = [parts(1, 1, 1), parts(0, 1, 0), parts(0, 1, 0)];
    const [table] = tablesOf(lines.map((verdict) => line(verdict, { hardness: "easy" })));
    // All of one prediction, one of three golds: 2 * 1 * (1/3) / (4/3).
    const partial = table?.columns[0]?.metrics["same"]?.partial?.["where"];
    expect(partial).toMatchObject({ accuracy: 1, recall: 1 / 3 });
    expect(partial?.f1).toBeCloseTo(0.5, 12);
  });
});

describe("the table by turn", () => {
  const joint = (lines: readonly TableLine[]): TableColumn | undefined =>
    tablesOf(lines).at(-1)?.columns.at(-1);

  it("has the places of turns, all of them, and whole dialogues", () => {
    const places = [0, 1, 2, 3, 4, 5, 6];
    const [table, ...others] = tablesOf([
      ...places.map((place) => turn(place === 5 ? 0 : 1, place)),
      turn(1, 0),
      turn(1, 1),
    ]);
    expect(others).toEqual([]);
    expect(table?.by).toBe("turn");
    expect(figures(table)).toEqual([
      ["turn 1", 2, 1],
      ["turn 2", 2, 1],
      ["turn 3", 1, 1],
      ["turn 4", 1, 1],
      ["turn > 4", 3, 2 / 3],
      ["all", 9, 8 / 9],
      ["joint", 2, 0.5],
    ]);
  });

  it("counts from 1 where no line has 0", () => {
    const [table] = tablesOf([1, 2, 3, 4, 5, 6].map((place) => turn(1, place)));
    expect(figures(table).slice(0, 5)).toEqual([
      ["turn 1", 1, 1],
      ["turn 2", 1, 1],
      ["turn 3", 1, 1],
      ["turn 4", 1, 1],
      ["turn > 4", 2, 1],
    ]);
  });

  it("ends a dialogue at another id, an earlier turn, or a line outside dialogues", () => {
    expect(joint([turn(1, 0, "a"), turn(0, 1, "b"), turn(1, 2, "b")])).toMatchObject({ count: 2 });
    expect(joint([turn(1, 0), turn(0, 1), turn(1, 1)])).toMatchObject({ count: 2 });
    expect(joint([turn(1, 0), line(0), turn(1, 1)])).toMatchObject({ count: 2 });
    expect(joint([turn(1, 0, "a"), turn(0, 3, "a")])).toMatchObject({ count: 1 });
  });

  it("has no score of a dialogue with an unscored turn, and none half right", () => {
    const open = unscored("database_missing", "");
    expect(joint([turn(1, 0), turn(open, 1), turn(1, 0), turn(0.5, 1), turn(1, 0)])).toEqual({
      name: "joint",
      count: 3,
      metrics: { same: { scored: 2, mean: 0.5 } },
    });
  });

  it("comes beside the table by hardness, which has whole dialogues too", () => {
    const lines = [turn(1, 0), turn(0, 1), turn(1, 0)].map((one) => ({ ...one, hardness: "easy" }));
    const tables = tablesOf(lines);
    expect(tables.map(({ by }) => by)).toEqual(["hardness", "turn"]);
    expect(figures(tables[0]).slice(-2)).toEqual([
      ["all", 3, 2 / 3],
      ["joint", 2, 0.5],
    ]);
  });
});

it("counts predictions with the word value in Spider's tables alone", () => {
  const lines = [
    { ...turn(1, 0), hardness: "easy", difficulty: "simple", holdsValue: true },
    { ...turn(1, 1), hardness: "easy", difficulty: "simple" },
  ];
  expect(tablesOf(lines).map(({ by, withValue }) => [by, withValue])).toEqual([
    ["difficulty", undefined],
    ["hardness", 1],
    ["turn", 1],
  ]);
  expect(tablesOf(lines.slice(1)).map(({ withValue }) => withValue)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
