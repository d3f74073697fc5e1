import { describe, expect, it } from "vitest";
import { Execution, InvalidText } from "../../core/execution.ts";

const RAN = { status: "ok", message: "", rows: 3, columns: 1, digest: "d", orderedDigest: "o" };

describe("Execution", () => {
  it("takes an outcome without a duration", () => {
    expect(Execution.parse(RAN)).toEqual(RAN);
    expect(Execution.safeParse({ ...RAN, cpuMs: 12 }).success).toBe(false);
  });

  it("refuses a status it does not know and rows that are no count", () => {
    expect(Execution.safeParse({ ...RAN, status: "slow" }).success).toBe(false);
    expect(Execution.safeParse({ ...RAN, rows: -1 }).success).toBe(false);
    expect(Execution.safeParse({ ...RAN, rows: 0.5 }).success).toBe(false);
  });
});

describe("InvalidText", () => {
  it("keeps its bytes", () => {
    expect([...new InvalidText(new Uint8Array([0xff, 0x41])).bytes]).toEqual([0xff, 0x41]);
  });
});
