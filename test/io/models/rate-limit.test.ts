import { describe, expect, it } from "vitest";
import { RateLimit } from "../../../io/models/rate-limit.ts";

describe("RateLimit", () => {
  it("spaces requests by their rate after a second's worth", () => {
    let now = 0;
    const limit = new RateLimit({ requestsPerMinute: 120, tokensPerMinute: null }, () => now);
    expect([1, 2, 3, 4].map(() => limit.reserve(0))).toEqual([0, 0, 500, 1000]);
    now = 1000;
    expect(limit.reserve(0)).toBe(500);
  });

  it("makes requests wait for their tokens, and gives back what was estimated too high", () => {
    const now = 0;
    const limit = new RateLimit({ requestsPerMinute: null, tokensPerMinute: 600 }, () => now);
    expect(limit.reserve(100)).toBe(0);
    expect(limit.reserve(50)).toBe(5_000);
    limit.correct(100, 20);
    expect(limit.reserve(40)).toBe(1_000);
  });

  it("stops waiting when told", async () => {
    const limit = new RateLimit({ requestsPerMinute: 1, tokensPerMinute: null });
    expect(limit.reserve(1_000_000)).toBe(0);
    const controller = new AbortController();
    const waiting = limit.take(1, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "INTERRUPTED" });
  });
});
