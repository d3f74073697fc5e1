import { describe, expect, it } from "vitest";
import type { ShownCell } from "../../core/sql-runner.ts";
import { rowObjectsText, uniqueNames } from "../../synth/row-objects.ts";
import { tableReply } from "../fakes/sql-runner.ts";

const LIMITS = { maxRows: 2, maxCellCharacters: 5, maxCharacters: 1_000 };

function rowText(cell: ShownCell): string {
  return rowObjectsText(tableReply(["a"], [[cell]]), LIMITS);
}

describe("rowObjectsText", () => {
  it("shows the first rows as objects and counts all of them", () => {
    const reply = tableReply(
      ["name", "seats"],
      [
        ["Tern", 12],
        ["Gull", null],
        ["Auk", 1],
      ],
      30,
    );
    expect(rowObjectsText(reply, LIMITS)).toBe(
      '{"total_rows":30,"shown_rows":2,"rows":[{"name":"Tern","seats":12},{"name":"Gull","seats":null}]}',
    );
  });

  it("shows that there are none", () => {
    expect(rowObjectsText(tableReply(["a"], []), LIMITS)).toBe('{"total_rows":0,"shown_rows":0,"rows":[]}');
  });

  it("keeps the order of columns whose names are numbers, and loses none that has a name of JavaScript's", () => {
    const reply = tableReply(["2", "1", "__proto__", "2"], [[1, 2, 3, 4]]);
    expect(rowObjectsText(reply, LIMITS)).toBe(
      '{"total_rows":1,"shown_rows":1,"rows":[{"2":1,"1":2,"__pro…":3,"2_2":4}]}',
    );
    const { rows } = JSON.parse(
      rowObjectsText(tableReply(["__proto__"], [[3]]), { ...LIMITS, maxCellCharacters: 9 }),
    ) as { rows: object[] };
    expect(Object.entries(rows[0] ?? {})).toEqual([["__proto__", 3]]);
  });

  it.each<[ShownCell, string]>([
    [null, "null"],
    [-1.5, "-1.5"],
    [{ integer: "-9223372036854775808" }, "-9223372036854775808"],
    [{ real: "-Infinity" }, '"-Infinity"'],
    [{ blob: "00ff00" }, "\"x'00ff0…'\""],
    [{ blob: "" }, "\"x''\""],
    ["abcde", '"abcde"'],
    ["abcdef", '"abcde…"'],
    ["abcde…", '"abcde…"'],
    ['a\n"b', String.raw`"a\n\"b"`],
    ["<sql>", String.raw`"\u003csql>"`],
    ["\u202E", String.raw`"\u202e"`],
  ])("shows the cell %j as %s", (cell, text) => {
    expect(rowText(cell)).toBe(`{"total_rows":1,"shown_rows":1,"rows":[{"a":${text}}]}`);
  });

  it("leaves out whole rows that do not fit", () => {
    const reply = tableReply(["a"], [["x"], ["y"]]);
    expect(rowObjectsText(reply, { ...LIMITS, maxCharacters: 18 })).toBe(
      '{"total_rows":2,"shown_rows":1,"rows":[{"a":"x"}]}',
    );
    expect(rowObjectsText(reply, { ...LIMITS, maxCharacters: 19 })).toBe(
      '{"total_rows":2,"shown_rows":2,"rows":[{"a":"x"},{"a":"y"}]}',
    );
  });

  it("cuts the cells of a first row that does not fit, and gives up where its names do not", () => {
    const wide = tableReply(["a", "b"], [["12345678", "12345678"]]);
    expect(rowObjectsText(wide, { maxRows: 9, maxCellCharacters: 8, maxCharacters: 22 })).toBe(
      '{"total_rows":1,"shown_rows":1,"rows":[{"a":"12…","b":"12…"}]}',
    );
    expect(rowObjectsText(wide, { maxRows: 9, maxCellCharacters: 8, maxCharacters: 10 })).toBe(
      '{"total_rows":1,"shown_rows":0,"rows":[]}',
    );
  });
});

describe("uniqueNames", () => {
  it.each([
    [
      ["a", "b"],
      ["a", "b"],
    ],
    [
      ["a", "a", "a"],
      ["a", "a_2", "a_3"],
    ],
    [
      ["a", "a", "a_2"],
      ["a", "a_3", "a_2"],
    ],
    [
      ["a_2", "a", "a", "a_2"],
      ["a_2", "a", "a_3", "a_2_2"],
    ],
    [
      ["", ""],
      ["", "_2"],
    ],
    [
      ["A", "a"],
      ["A", "a"],
    ],
  ])("of %j are %j", (names, unique) => {
    expect(uniqueNames(names)).toEqual(unique);
  });
});
