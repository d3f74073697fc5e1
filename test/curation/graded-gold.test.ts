import { describe, expect, it } from "vitest";
import { planIn, planStatement } from "../../curation/graded-gold.ts";

describe("planStatement", () => {
  it("asks for some rows behind LIMIT with their order keys, and says how to read them", () => {
    const planned = planStatement("SELECT a FROM t ORDER BY b, c LIMIT 3 OFFSET 1", 5);
    expect(planned?.sql.split("\n").slice(0, 2)).toEqual(["SELECT a, b, c FROM t ORDER BY b, c", "LIMIT 9"]);
    expect(planned?.plan).toEqual({ offset: 1, count: 3, keys: [-2, -1], added: 2, uniqueRows: false });
    expect(planIn(planned?.sql ?? "")).toEqual(planned?.plan);
  });

  it("leaves what has no LIMIT, or a negative one, unlimited", () => {
    for (const limit of ["", " LIMIT -1"]) {
      const planned = planStatement(`SELECT DISTINCT a FROM t ORDER BY a${limit}`, 5);
      expect(planned?.sql.split("\n")[0]).toBe("SELECT DISTINCT a, a FROM t ORDER BY a");
      expect(planned?.plan).toEqual({ offset: 0, count: null, keys: [-1], added: 1, uniqueRows: true });
    }
  });

  it.each([
    "SELECT a FROM t",
    "SELECT a FROM t LIMIT 1 + 1",
    "SELECT a FROM t LIMIT -1 OFFSET 2",
    "SELECT DISTINCT a FROM t ORDER BY b LIMIT 2",
    "DELETE FROM t",
  ])("plans nothing for %s", (sql) => {
    expect(planStatement(sql, 5)).toBeNull();
  });
});

it("finds no plan in a published statement", () => {
  expect(planIn("SELECT a FROM t ORDER BY b /* grading by hand */")).toBeNull();
});
