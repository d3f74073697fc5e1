import { describe, expect, it } from "vitest";
import { passAtK, passHatK, passMean, wilsonInterval } from "../../curation/pass-at-k.ts";

describe("passAtK", () => {
  it.each([
    // 1 - C(3,1)/C(4,1) = 1/4
    [4, 1, 1, 0.25],
    // 1 - C(2,2)/C(4,2) = 5/6
    [4, 2, 2, 5 / 6],
    // 1 - C(7,3)/C(10,3) = 1 - 35/120
    [10, 3, 3, 85 / 120],
    // 1 - C(15,8)/C(16,8) = 1 - 6435/12870
    [16, 1, 8, 0.5],
    [16, 15, 2, 1],
    [16, 0, 16, 0],
    [16, 16, 1, 1],
  ])("of n=%i, c=%i, k=%i is %f", (n, c, k, expected) => {
    expect(passAtK(n, c, k)).toBeCloseTo(expected, 12);
  });

  it("is not known for more draws than samples", () => {
    expect(passAtK(4, 4, 5)).toBeUndefined();
    expect(passAtK(0, 0, 1)).toBeUndefined();
  });

  it("does not overflow", () => {
    // 1 - C(1999,1000)/C(2000,1000) = 1000/2000
    expect(passAtK(2000, 1, 1000)).toBeCloseTo(0.5, 9);
  });

  it.each([
    [4, 5, 1],
    [4, -1, 1],
    [4, 2, 0],
    [4.5, 2, 1],
    [Number.NaN, 0, 1],
  ])("refuses n=%f, c=%f, k=%f", (n, c, k) => {
    expect(() => passAtK(n, c, k)).toThrow(expect.objectContaining({ code: "PASS_COUNTS_INVALID" }) as Error);
  });
});

describe("passHatK", () => {
  it.each([
    // C(2,2)/C(4,2)
    [4, 2, 2, 1 / 6],
    // C(7,3)/C(10,3)
    [10, 7, 3, 35 / 120],
    // C(15,16) = 0
    [16, 15, 16, 0],
    [16, 16, 16, 1],
    [4, 3, 1, 0.75],
  ])("of n=%i, c=%i, k=%i is %f", (n, c, k, expected) => {
    expect(passHatK(n, c, k)).toBeCloseTo(expected, 12);
  });

  it("is not known for more draws than samples", () => {
    expect(passHatK(4, 4, 5)).toBeUndefined();
  });
});

describe("passMean", () => {
  it("is the share of right samples, unknown without any", () => {
    expect(passMean(8, 6)).toBe(0.75);
    expect(passMean(0, 0)).toBeUndefined();
  });
});

describe("wilsonInterval", () => {
  it.each([
    // Newcombe 1998, Statistics in Medicine 17, table I, method 3: 81/263, 15/148, 0/20, 1/29
    [81 / 263, 263, 0.2553, 0.3662],
    [15 / 148, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1 / 29, 29, 0.0061, 0.1718],
  ])("of mean %f over %i is %f to %f", (mean, n, low, high) => {
    const interval = wilsonInterval(mean, n);
    expect(interval?.low).toBeCloseTo(low, 4);
    expect(interval?.high).toBeCloseTo(high, 4);
  });

  it("ends at 1 when all are right", () => {
    expect(wilsonInterval(1, 20)?.high).toBe(1);
    // by symmetry with 0 of 20
    expect(wilsonInterval(1, 20)?.low).toBeCloseTo(0.8389, 4);
  });

  it("is unknown without scores and for means outside 0 to 1", () => {
    expect(wilsonInterval(0, 0)).toBeUndefined();
    expect(wilsonInterval(1.25, 4)).toBeUndefined();
  });
});
