import { expect, it } from "vitest";
import { cores } from "../../io/machine.ts";

it("there is at least one core", () => {
  expect(Number.isInteger(cores()) && cores() >= 1).toBe(true);
});
