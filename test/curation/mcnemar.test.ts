import { describe, expect, it } from "vitest";
import { mcnemar } from "../../curation/mcnemar.ts";

describe("mcnemar", () => {
  // The exact p-values are fractions summed by hand in Python's integers, those of chi-square its math.erfc.
  it.each([
    [10, 20, 0.09873714670538902, 10 / 3, 0.06788915486182899, 2.7, 0.10034824646229075],
    [0, 5, 0.0625, 5, 0.025347318677468252, 3.2, 0.07363827012030266],
    [35, 60, 0.01337870302600394, 6.5789473684, 0.010319189908034924, 6.0631578947, 0.013803064862365584],
    [7, 7, 1, 0, 1, 0, 1],
    [0, 0, 1, 0, 1, 0, 1],
  ])("of %d lost and %d gained", (lost, gained, exactP, chi, chiP, corrected, correctedP) => {
    const test = mcnemar(lost, gained);
    expect(test.exactP).toBeCloseTo(exactP, 6);
    expect(test.chiSquare).toBeCloseTo(chi, 9);
    expect(test.chiSquareP).toBeCloseTo(chiP, 6);
    expect(test.correctedChiSquare).toBeCloseTo(corrected, 9);
    expect(test.correctedChiSquareP).toBeCloseTo(correctedP, 6);
  });

  it("is the same whichever side is first", () => {
    const [one, other] = [mcnemar(3, 11), mcnemar(11, 3)];
    expect([one.exactP, one.chiSquareP]).toEqual([other.exactP, other.chiSquareP]);
  });

  it("keeps tiny chances", () => {
    expect(mcnemar(0, 400).exactP).toBeGreaterThan(0);
    expect(mcnemar(0, 1000).chiSquareP).toBeGreaterThan(0);
  });

  it("refuses counts that are none", () => {
    expect(() => mcnemar(-1, 2)).toThrow(expect.objectContaining({ code: "MCNEMAR_COUNTS_INVALID" }));
    expect(() => mcnemar(1.5, 2)).toThrow(expect.objectContaining({ code: "MCNEMAR_COUNTS_INVALID" }));
  });
});
