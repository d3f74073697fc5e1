import { expect, it } from "vitest";
import { BIRD_DIFFICULTIES } from "../../curation/bird-difficulty.ts";

it("has BIRD's three difficulties, easiest first", () => {
  expect(BIRD_DIFFICULTIES).toEqual(["simple", "moderate", "challenging"]);
});
