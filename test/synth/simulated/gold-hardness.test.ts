import { describe, expect, it } from "vitest";
import { goldHardness } from "../../../synth/simulated/gold-hardness.ts";
import { FERRIES } from "../synth-rows.ts";

describe("goldHardness", () => {
  it("is Spider's for a query of Spider's grammar", () => {
    expect(goldHardness("SELECT name FROM boat", FERRIES.schema)).toBe("easy");
    expect(goldHardness("SELECT name, seats FROM boat WHERE seats > 3", FERRIES.schema)).toBe("medium");
  });

  it("goes by length for other queries", () => {
    expect(goldHardness("SELECT iif(seats > 3, 'big', 'small') FROM boat", FERRIES.schema)).toBe("medium");
  });
});
