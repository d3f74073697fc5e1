import { describe, expect, it } from "vitest";
import type { DatabaseSchema } from "../../core/database.ts";
import { findColumn, findScope, findTable, isSameName } from "../../synth/schema-lookup.ts";
import { FERRIES, table } from "./synth-rows.ts";

const { schema } = FERRIES;
const BOAT = table("boat", "boat_id INTEGER", "name TEXT");

describe("isSameName", () => {
  it.each([
    ["Boat", "bOAT", true],
    ["Ärger", "ärger", false],
    ["boat", "boats", false],
  ])("%s and %s: %s", (left, right, isSame) => {
    expect(isSameName(left, right)).toBe(isSame);
  });
});

describe("findTable and findColumn", () => {
  it("find names without ASCII case, as the schema writes them", () => {
    const found = findTable(schema, "BOAT");
    expect(found.ok && found.value.name).toBe("boat");
    const column = findColumn(BOAT, "columns", "Name");
    expect(column.ok && column.value.name).toBe("name");
  });

  it("say which names there are", () => {
    expect(findTable(schema, "ship\n")).toEqual({
      ok: false,
      problem: 'the argument table is "ship\\n", expected one of "boat", "crossing"',
    });
    expect(findColumn(BOAT, "columns", "x")).toEqual({
      ok: false,
      problem: 'the argument columns is "x", expected one of "boat_id", "name"',
    });
  });

  it("count the names that are too many to tell, and tell that there are none", () => {
    const many = {
      ...BOAT,
      columns: Array.from({ length: 33 }, (_, n) => ({ ...BOAT.columns[0]!, name: `c${n}` })),
    };
    const problem = findColumn(many, "column", "x");
    expect(!problem.ok && problem.problem).toMatch(/"c29" and 3 more$/);
    expect(findTable({ ...schema, tables: [] }, "x")).toEqual({
      ok: false,
      problem: 'the argument table is "x", expected nothing: there is none',
    });
  });
});

describe("findScope", () => {
  const empty: DatabaseSchema = { ...schema, tables: [] };

  it.each([
    [schema, null, null, null, null],
    [schema, "Boat", null, "boat", null],
    [schema, "Boat", "NAME", "boat", "name"],
    [schema, null, "ISLAND", null, "island"],
    [empty, null, "x", null, "x"],
  ])("takes %#", (within, tableName, columnName, foundTable, foundColumn) => {
    expect(findScope(within, { table: tableName, column: columnName })).toEqual({
      ok: true,
      value: { table: foundTable, column: foundColumn },
    });
  });

  it("refuses a column of another table, and one of none", () => {
    expect(findScope(schema, { table: "boat", column: "island" })).toEqual({
      ok: false,
      problem: 'the argument column is "island", expected one of "boat_id", "name", "seats", "built"',
    });
    expect(findScope(schema, { table: null, column: "x" })).toEqual({
      ok: false,
      problem:
        'the argument column is "x", expected one of "boat_id", "name", "seats", "built", "crossing_id", ' +
        '"island", "passengers"',
    });
    expect(findScope(schema, { table: "x", column: "name" }).ok).toBe(false);
  });
});
