import { describe, expect, it } from "vitest";
import { matchColumns } from "../../curation/column-matching.ts";
import { distinctColumns } from "../../curation/distinct-columns.ts";
import { cycleTable, gridOf } from "./rex-tables.ts";
import type { NumberRows } from "./rex-tables.ts";

function match(left: NumberRows, right: NumberRows, maxSteps: number): string {
  const [first, second] = [left, right].map((rows) => {
    const width = rows[0]?.length ?? 0;
    return distinctColumns(
      gridOf(rows, width),
      Array.from({ length: width }, () => 0),
    );
  });
  return matchColumns(first as never, second as never, maxSteps);
}

describe("matchColumns", () => {
  it("needs no search where signatures tell the columns apart", () => {
    const rows = Array.from({ length: 50 }, (_, row) => [row, row % 7, row % 3]);
    const turned = rows.map(([a, b, c]) => [c, a, b] as number[]).reverse();
    expect(match(rows, turned, 0)).toBe("equal");
    expect(match(rows, [...turned.slice(1), [0, 0, 1]], 0)).toBe("different");
  });

  it("searches where signatures do not, within its budget", () => {
    expect(match(cycleTable([6]), cycleTable([6]), 100_000)).toBe("equal");
    expect(match(cycleTable([6]), cycleTable([3, 3]), 100_000)).toBe("different");
    expect(match(cycleTable([4, 5]), cycleTable([5, 4]), 100_000)).toBe("equal");
  });

  it("gives up over its budget", () => {
    expect(match(cycleTable([6, 6, 6]), cycleTable([6, 6, 3, 3]), 5_000)).toBe("over_budget");
    expect(match(cycleTable([6, 6, 6]), cycleTable([6, 6, 3, 3]), 50_000_000)).toBe("different");
  });
});
