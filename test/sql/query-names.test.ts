import { describe, expect, it } from "vitest";
import { QueryNames } from "../../sql/query-names.ts";
import { outlineQuery } from "../../sql/query-scan.ts";
import { FERRY_SCHEMA } from "./ferry-schema.ts";

function namesOf(sql: string) {
  const outline = outlineQuery(sql);
  const names = new QueryNames(outline, FERRY_SCHEMA);
  const scope = (index: number) => outline.scopes[index] ?? null;
  return { names, scope };
}

describe("QueryNames", () => {
  it("calls tables by their names, uses of one table by number", () => {
    const { names, scope } = namesOf("SELECT 1 FROM Ferry a JOIN ferry b JOIN crossing");
    expect(["a", "B", "crossing", "ferry"].map((name) => names.qualifier(scope(0), name))).toEqual([
      "ferry",
      "ferry#2",
      "crossing",
      undefined,
    ]);
  });

  it("drops the name of the only source, but not from an inner query", () => {
    const { names, scope } = namesOf(
      "SELECT 1 FROM ferry a WHERE (SELECT 1 FROM crossing c WHERE (SELECT 1 FROM ferry))",
    );
    expect(names.qualifier(scope(0), "a")).toBe("");
    expect(names.qualifier(scope(1), "a")).toBe("ferry");
    expect(names.qualifier(scope(2), "a")).toBe("^ferry");
    expect(names.qualifier(scope(2), "ferry")).toBe("");
  });

  it("numbers common table expressions and subqueries in the order of the text", () => {
    const { names, scope } = namesOf("WITH x AS (SELECT 1) SELECT 1 FROM (SELECT 2) q, x, crossing");
    expect(names.qualifier(scope(1), "x")).toBe("#1");
    expect(names.qualifier(scope(1), "q")).toBe("#2");
    expect(names.tables).toEqual(["crossing"]);
  });

  it("finds whose a column is", () => {
    const { names, scope } = namesOf("SELECT 1 FROM ferry, crossing WHERE (SELECT 1 FROM captain)");
    expect(names.column(scope(0), "FARE")).toBe("crossing.fare");
    expect(names.column(scope(0), "Home Port")).toBe('ferry."home port"');
    expect(names.column(scope(1), "born")).toBe("born");
    expect(names.column(scope(1), "fare")).toBe("crossing.fare");
    expect(names.column(scope(1), "nothing")).toBeUndefined();
  });

  it("says nothing of a column where a source is not known", () => {
    const { names, scope } = namesOf("SELECT 1 FROM ferry WHERE (SELECT 1 FROM unknown)");
    expect(names.column(scope(1), "built")).toBeUndefined();
    expect(names.knowsEveryColumn(scope(0))).toBe(true);
    expect(names.knowsEveryColumn(scope(1))).toBe(false);
  });
});
