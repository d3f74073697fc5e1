import { describe, expect, it } from "vitest";
import { sharedColumns } from "../../sql/shared-columns.ts";

const TABLES: Readonly<Record<string, readonly string[]>> = {
  a: ["x", "Y"],
  b: ["X", "z"],
  c: ["x", "z", "w"],
};

function shared(sql: string, outputs: Readonly<Record<string, readonly string[]>> = {}) {
  const found = sharedColumns(sql, {
    columnsOf: (table) => TABLES[table.toLowerCase()] ?? [],
    outputOf: (query) => outputs[query.trim()] ?? [],
  });
  return found.columns.map(({ table, column }) => `${table}.${column}`);
}

describe("sharedColumns", () => {
  it.each([
    ["SELECT 1 FROM a JOIN b ON a.x = b.x", []],
    ["SELECT 1 FROM a JOIN b USING (x)", ["a.x", "b.x"]],
    ["SELECT 1 FROM a JOIN b USING (x) JOIN c USING (x, z)", ["a.x", "b.x", "a.x", "c.x", "b.z", "c.z"]],
    ["SELECT 1 FROM a FULL JOIN b USING (x) FULL JOIN c USING (x)", ["a.x", "b.x", "a.x", "b.x", "c.x"]],
    ["SELECT 1 FROM a NATURAL JOIN b", ["a.x", "b.x"]],
    ["SELECT 1 FROM a NATURAL LEFT OUTER JOIN c", ["a.x", "c.x"]],
    ["SELECT 1 FROM b NATURAL JOIN c", ["b.x", "c.x", "b.z", "c.z"]],
    ["SELECT 'a natural join b' FROM a", []],
  ])("%s", (sql, expected) => {
    expect(shared(sql)).toEqual(expected);
  });

  it("asks for what subqueries and common table expressions give", () => {
    const sql = "WITH d AS (SELECT 1 AS x) SELECT 1 FROM d NATURAL JOIN a NATURAL JOIN (SELECT 2 AS y) e";
    const outputs = {
      "WITH d AS (SELECT 1 AS x) SELECT * FROM d": ["x"],
      "WITH d AS (SELECT 1 AS x) SELECT * FROM (SELECT 2 AS y)": ["y"],
    };
    expect(shared(sql, outputs)).toEqual(["a.x", "a.y"]);
    expect(
      shared(sql.replace("WITH", "WITH RECURSIVE"), {
        "WITH RECURSIVE d AS (SELECT 1 AS x) SELECT * FROM d": ["x"],
      }),
    ).toEqual(["a.x"]);
  });

  it("tells which names are common table expressions alone", () => {
    const names = (sql: string) => [
      ...sharedColumns(sql, { columnsOf: () => [], outputOf: () => [] }).cteNames,
    ];
    expect(names("WITH D AS (SELECT 1), e AS (SELECT 2) SELECT 1 FROM d")).toEqual(["d", "e"]);
    expect(names("WITH a AS (SELECT 1) SELECT (SELECT 1 FROM main.a) FROM a")).toEqual([]);
    expect(names("SELECT 1 FROM a")).toEqual([]);
  });
});
