import { describe, expect, it } from "vitest";
import { InvalidText } from "../../core/execution.ts";
import { joinTextBytes, quoteName, withTextBytes } from "../../io/sql-text.ts";

describe("withTextBytes", () => {
  it("puts the bytes of its text behind every column of a query", () => {
    expect(withTextBytes(" ; select a, b from t -- last\n ;", 2, true)).toBe(
      "WITH q(c1, c2) AS MATERIALIZED (\nselect a, b from t\n) SELECT " +
        "c1, CASE typeof(c1) WHEN 'text' THEN CAST(c1 AS BLOB) END, " +
        "c2, CASE typeof(c2) WHEN 'text' THEN CAST(c2 AS BLOB) END FROM q",
    );
    expect(withTextBytes("VALUES (1)", 1, false)).toContain("AS (\nVALUES (1)\n)");
  });

  it.each(["", "-- nothing", "EXPLAIN SELECT 1", "PRAGMA table_info(t)"])("is null for %j", (sql) => {
    expect(withTextBytes(sql, 1, true)).toBeNull();
  });
});

describe("joinTextBytes", () => {
  it("takes text from its bytes and the rest as it is", () => {
    const bytes = new Uint8Array([0xc3, 0xa9, 0x00, 0x41]);
    const bad = new Uint8Array([0xff]);
    expect(joinTextBytes(["é", bytes, 7n, null, "\uFFFD", bad, null, null])).toEqual([
      "é\0A",
      7n,
      new InvalidText(bad),
      null,
    ]);
  });
});

describe("quoteName", () => {
  it("doubles quotes", () => {
    expect(quoteName('a "b"')).toBe('"a ""b"""');
  });
});
