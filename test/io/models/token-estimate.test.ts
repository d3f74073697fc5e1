import { describe, expect, it } from "vitest";
import { TokenEstimate } from "../../../io/models/token-estimate.ts";

describe("TokenEstimate", () => {
  it("starts with four bytes a token and the most tokens, and learns from counts", () => {
    const estimate = new TokenEstimate();
    expect(estimate.of(400, 1000)).toBe(1100);
    estimate.learn(400, 200, 30);
    estimate.learn(200, 100, 50);
    expect(estimate.of(400, 1000)).toBe(240);
    expect(estimate.of(400, 10)).toBe(210);
  });
});
