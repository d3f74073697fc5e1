import { describe, expect, it } from "vitest";
import type { Database } from "../../core/database.ts";
import { describedParts, saysNothing } from "../../synth/described-parts.ts";
import { FERRIES } from "./synth-rows.ts";

function column(name: string, comment = ""): Database["schema"]["tables"][number]["columns"][number] {
  return { ...(FERRIES.schema.tables[0]?.columns[0] as never as object), name, comment } as never;
}

const WIDE: Database = {
  ...FERRIES,
  schema: {
    ...FERRIES.schema,
    tables: [
      { name: "trip", comment: "", columns: ["a", "b", "c", "d", "e"].map((name) => column(name)) },
      { name: "told", comment: "", columns: [column("a", "the first")] },
      { name: "half", comment: "", columns: [column("a", "the first"), column("b")] },
    ],
  },
};

function named(options: { columnsPerRequest: number; replaceExisting: boolean }, database = WIDE): string[] {
  return describedParts(database, options).map(
    ({ table, columns }) => `${table.name}: ${columns.map(({ name }) => name).join("")}`,
  );
}

describe("describedParts", () => {
  it("cuts wide tables and passes over what is told", () => {
    const expected = ["trip: ab", "trip: cd", "trip: e", "half: b"];
    expect(named({ columnsPerRequest: 2, replaceExisting: false })).toEqual(expected);
  });

  it("takes everything where it is to be replaced", () => {
    const expected = ["trip: abcde", "told: a", "half: ab"];
    expect(named({ columnsPerRequest: 40, replaceExisting: true })).toEqual(expected);
  });

  it("asks nothing of a database that cannot be read", () => {
    const options = { columnsPerRequest: 2, replaceExisting: true };
    expect(named(options, { ...WIDE, status: "missing" })).toEqual([]);
  });
});

it.each([
  ["deptId", "", true],
  ["dept_id", "Dept ID", true],
  ["dept_id", "the department", false],
])("%s with the comment %j says nothing: %s", (name, comment, expected) => {
  expect(saysNothing({ name, comment })).toBe(expected);
});
