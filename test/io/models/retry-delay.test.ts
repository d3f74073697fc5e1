import { describe, expect, it } from "vitest";
import { SeededRandom } from "../../../core/random.ts";
import { backoffMs, retryAfterMs } from "../../../io/models/retry-delay.ts";

const NOW = "2026-01-01T00:00:00.000Z";

describe("retryAfterMs", () => {
  it.each([
    [{ "retry-after": "3" }, 3_000],
    [{ "retry-after": "0.5" }, 500],
    [{ "retry-after-ms": "250", "retry-after": "3" }, 250],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:20 GMT" }, 20_000],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:20 GMT", date: "Thu, 01 Jan 2026 00:00:15 GMT" }, 5_000],
    [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    [{ "retry-after": "soon" }, null],
    [{}, null],
  ])("reads %j", (headers: Record<string, string>, expected) => {
    expect(retryAfterMs({ get: (name) => headers[name] ?? null }, NOW)).toBe(expected);
  });
});

describe("backoffMs", () => {
  it("doubles up to its longest, and its second half is random", () => {
    const random = new SeededRandom(1, "test");
    const full = [100, 200, 400, 800, 1000, 1000];
    for (const [index, longest] of full.entries()) {
      const delay = backoffMs(index + 1, { firstMs: 100, longestMs: 1000 }, random);
      expect(delay).toBeGreaterThanOrEqual(longest / 2);
      expect(delay).toBeLessThan(longest);
    }
  });
});
