import { describe, expect, it } from "vitest";
import { joinChanges, joinKeys } from "../../sql/join-keys.ts";

const items = (...texts: string[]) => texts.map((text) => ({ text, literals: [] }));

describe("joinKeys", () => {
  it("takes columns of two tables that are equal, however the tables are told", () => {
    const found = joinKeys(
      items(
        "ferry.a = ferry#2.b",
        '"my table".a = #1."b.c"',
        "z.a = y.b",
        "a = t.b",
        "t.a = t.b",
        "t.a < u.b",
      ),
    );
    expect(found).toEqual([
      { tables: ["ferry", "ferry#2"], text: "ferry.a = ferry#2.b" },
      { tables: ['"my table"', "#1"], text: '"my table".a = #1."b.c"' },
      { tables: ["y", "z"], text: "z.a = y.b" },
    ]);
  });

  it("takes no calculation and no literal for a column", () => {
    expect(
      joinKeys(items("t.a = ?", "t.a = u.b + ?", "t.a = lower(u.b)", "t.a = (select u.b from u)")),
    ).toEqual([]);
  });
});

describe("joinChanges", () => {
  const keys = (...texts: string[]) => joinKeys(items(...texts));

  it("tells pairs of tables that are joined on other columns", () => {
    expect(joinChanges(keys("t.a = u.a", "t.b = v.b"), keys("t.a = u.b", "t.a = u.a", "t.b = v.b"))).toEqual([
      { tables: ["t", "u"], gold: ["t.a = u.a"], predicted: ["t.a = u.a", "t.a = u.b"] },
    ]);
  });

  it("tells no pair that only one side joins", () => {
    expect(joinChanges(keys("t.a = u.a"), keys("t.a = v.a"))).toEqual([]);
  });
});
