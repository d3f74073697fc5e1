import { expect, it } from "vitest";
import { outlineQuery } from "../../sql/query-scan.ts";
import { UsedColumns } from "../../sql/used-columns.ts";
import { usedLiterals } from "../../sql/used-literals.ts";
import { GOLD_SCHEMA } from "./gold-schema.ts";

function literalsOf(condition: string): unknown[][] {
  const outline = outlineQuery(`SELECT name FROM boat WHERE ${condition}`);
  return usedLiterals(outline, new UsedColumns(outline, GOLD_SCHEMA)).map(
    ({ value, operator, column, call }) => [
      value,
      operator,
      column?.column ?? null,
      ...(call === null ? [] : [call.name]),
    ],
  );
}

it.each([
  ["name = 'Tern'", [["Tern", "=", "name"]]],
  ['name == "O\'Neil"', [["O'Neil", "=", "name"]]],
  ["seats <> -3", [["-3", "!=", "seats"]]],
  ["5 < seats", [["5", ">", "seats"]]],
  ["name NOT LIKE '%a'", [["%a", "like", "name"]]],
  [
    "name IN ('a', 'b')",
    [
      ["a", "in", "name"],
      ["b", "in", "name"],
    ],
  ],
  [
    "seats BETWEEN 1 AND 9",
    [
      ["1", "between", "seats"],
      ["9", "between", "seats"],
    ],
  ],
  ["lower(name) = 'tern'", [["tern", "=", null, "lower"]]],
  [
    "seats + 1 = 4",
    [
      ["1", "=", null],
      ["4", "=", null],
    ],
  ],
  ["price * seats > 10", [["10", ">", null]]],
  [
    "1 LIMIT 3 OFFSET 2",
    [
      ["1", "other", null],
      ["3", "limit", null],
      ["2", "offset", null],
    ],
  ],
])("%s", (condition, literals) => {
  expect(literalsOf(condition)).toEqual(literals);
});

it("says where a literal stands", () => {
  const sql = "SELECT name FROM boat WHERE name = 'Tern'";
  const outline = outlineQuery(sql);
  const [literal] = usedLiterals(outline, new UsedColumns(outline, GOLD_SCHEMA));
  expect(sql.slice(literal?.start, literal?.end)).toBe("'Tern'");
  expect(literal?.isOutermost).toBe(true);
});

it("takes an alias in quotes for none", () => {
  const outline = outlineQuery("SELECT count(*) 'boats', seats AS \"n\" FROM boat");
  expect(usedLiterals(outline, new UsedColumns(outline, GOLD_SCHEMA))).toEqual([]);
});
