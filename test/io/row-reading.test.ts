import { describe, expect, it } from "vitest";
import type { Cell } from "../../core/execution.ts";
import { Reading } from "../../io/row-reading.ts";
import { rowKeys } from "../../io/sql-values.ts";

const LIMITS = { cpuMs: 1, maxRows: 2, maxBytes: 5 };

describe("Reading", () => {
  it("keeps rows with their keys, and notes text and U+FFFD", () => {
    const reading = new Reading(LIMITS, null).readAll([[1n], ["a"]]);
    expect(reading).toMatchObject({
      rows: [[1n], ["a"]],
      tooLarge: false,
      hasText: true,
      hasReplacement: false,
    });
    expect(rowKeys(reading.rows)).toEqual(["i1;", "t1:a"]);
    expect(new Reading(LIMITS, null).readAll([["\uFFFD"]]).hasReplacement).toBe(true);
    expect(new Reading(LIMITS, null).readAll([[1n]]).hasText).toBe(false);
  });

  it("keeps the rows before the first that is over a limit, and ends the statement", () => {
    let returned = 0;
    const iterate = (rows: Cell[][]) => ({
      next: () => {
        const value = rows.shift();
        return { done: value === undefined, value };
      },
      return: () => {
        returned += 1;
      },
    });
    const rows = new Reading(LIMITS, null).readFrom(iterate([[1n], [2n], [3n], [4n]]));
    expect(rows).toMatchObject({ rows: [[1n], [2n]], tooLarge: true });
    const bytes = new Reading(LIMITS, null).readFrom(iterate([["abc"], [new Uint8Array(3)]]));
    expect(bytes).toMatchObject({ rows: [["abc"]], tooLarge: true });
    expect(returned).toBe(2);
    expect(new Reading(LIMITS, null).readFrom(iterate([[1n], [2n]])).tooLarge).toBe(false);
  });

  it("converts rows on the way", () => {
    expect(new Reading(LIMITS, (row) => row.slice(1)).readAll([[1n, 2n]]).rows).toEqual([[2n]]);
  });
});
