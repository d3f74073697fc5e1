import { describe, expect, it } from "vitest";
import { type Cell, InvalidText } from "../../core/execution.ts";
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

  it("keeps hashes instead of the rows of a large result", () => {
    const limits = { cpuMs: 1, maxRows: 300_000, maxBytes: 1 << 26 };
    const rows = Array.from({ length: 120_001 }, (_, index): Cell[] => [BigInt(index)]);
    expect(new Reading(limits, null).readAll(rows.slice(1))).toMatchObject({
      count: 120_000,
      hashes: undefined,
    });
    const large = new Reading(limits, null).readAll(rows);
    expect(large).toMatchObject({ count: 120_001, rows: [], tooLarge: false });
    expect(large.hashes?.count).toBe(120_001);
    const over = new Reading({ ...limits, maxRows: 120_000 }, null).readAll(rows);
    expect(over).toMatchObject({ count: 120_000, tooLarge: true });
  });

  it("keeps hashes of few rows that are long, and notes text that is not UTF-8", () => {
    const limits = { cpuMs: 1, maxRows: 10, maxBytes: 1 << 26 };
    const long = "x".repeat(1 << 24);
    expect(new Reading(limits, null).readAll([[long], [long]]).hashes).toBeUndefined();
    const invalid = new InvalidText(new Uint8Array([0xe9]));
    expect(new Reading(limits, null).readAll([[long], [long], ["x"]]).hashes?.hasInvalidText).toBe(false);
    expect(new Reading(limits, null).readAll([[invalid], [long], [long]]).hashes?.hasInvalidText).toBe(true);
    expect(new Reading(limits, null).readAll([[long], [long], ["x"], [invalid]]).hashes).toMatchObject({
      count: 4,
      hasInvalidText: true,
    });
  });

  it("converts rows on the way", () => {
    expect(new Reading(LIMITS, (row) => row.slice(1)).readAll([[1n, 2n]]).rows).toEqual([[2n]]);
  });
});
