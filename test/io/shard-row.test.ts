import { describe, expect, it } from "vitest";
import type { ColumnType } from "../../core/shard.ts";
import { shardRowProblem } from "../../io/shard-row.ts";

function problem(value: unknown, type: ColumnType, form: "closed" | "open" = "closed"): string | null {
  return shardRowProblem({ cell: value }, [{ name: "cell", type }], form);
}

describe("shardRowProblem", () => {
  it.each<[unknown, ColumnType]>([
    ["", "string"],
    ["nul \u0000 and a pair \u{1F600}", "string"],
    [true, "bool"],
    [0.5, "float64"],
    [1, "float64"],
    [Number.MAX_SAFE_INTEGER, "int64"],
    [-(2n ** 63n), "int64"],
    [2n ** 63n - 1n, "int64"],
    [[], { list: "string" }],
    [[{ a: "x" }], { list: { struct: { a: "string" } } }],
  ])("takes cell %# (%s)", (value, type) => {
    expect(problem(value, type)).toBeNull();
  });

  it.each<[unknown, ColumnType, string]>([
    [null, "string", "cell is null, expected a string"],
    [1, "string", "cell is the number 1, expected a string"],
    ["a\uD800b", "string", "cell holds a lone surrogate, expected valid Unicode"],
    ["\uDE00", "string", "cell holds a lone surrogate, expected valid Unicode"],
    ["1", "int64", "cell is of type string, expected a 64-bit integer that is exact"],
    [0.5, "int64", "cell is the number 0.5, expected a 64-bit integer that is exact"],
    [2 ** 53, "int64", "cell is the number 9007199254740992, expected a 64-bit integer that is exact"],
    [2n ** 63n, "int64", "cell is the number 9223372036854775808, expected a 64-bit integer that is exact"],
    [Number.NaN, "float64", "cell is the number NaN, expected a finite number"],
    [0, "bool", "cell is the number 0, expected a boolean"],
    [{}, { list: "string" }, "cell is a struct, expected a list"],
    [[["x"]], { struct: { a: "string" } }, "cell is a list, expected a struct"],
    [["x", null], { list: "string" }, "cell[1] is null, expected a string"],
    [{}, { struct: { a: "string" } }, "cell.a is missing"],
    [{ a: "x", b: 1 }, { struct: { a: "string" } }, "cell.b is not declared"],
    [
      [{ a: { b: 1 } }],
      { list: { struct: { a: { struct: { b: "string" } } } } },
      "cell[0].a.b is the number 1, expected a string",
    ],
  ])("refuses cell %# (%s)", (value, type, expected) => {
    expect(problem(value, type)).toBe(expected);
  });

  it("refuses a column too few and one too many", () => {
    expect(shardRowProblem({}, [{ name: "a", type: "string" }])).toBe("column a is missing");
    expect(shardRowProblem({ b: 1 }, [])).toBe("column b is not declared");
  });

  it("lets open structs hold any further JSON that is valid Unicode", () => {
    const type = { list: { struct: { role: "string" } } } as const;
    expect(problem([{ role: "a", more: [{ x: null }, 1.5, "y"] }], type, "open")).toBeNull();
    expect(problem([{ role: "a", more: { x: ["\uD800"] } }], type, "open")).toBe(
      "cell[0].more.x.0 holds a lone surrogate, expected valid Unicode",
    );
    expect(problem([{ role: "a", more: { "\uD800": 1 } }], type, "open")).toBe(
      "cell[0].more has a name that holds a lone surrogate, expected valid Unicode",
    );
    expect(problem([{ more: 1 }], type, "open")).toBe("cell[0].role is missing");
  });
});
