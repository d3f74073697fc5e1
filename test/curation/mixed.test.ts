import { expect, it } from "vitest";
import { mixed } from "../../curation/mixed.ts";

it("depends on both numbers and on their order", () => {
  const seen = new Set<number>();
  for (let first = -20; first < 20; first += 1) {
    for (let second = -20; second < 20; second += 1) seen.add(mixed(first, second));
  }
  expect(seen.size).toBe(1600);
});
