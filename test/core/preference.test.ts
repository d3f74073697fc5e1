import { expect, it } from "vitest";
import { PreferenceRow } from "../../core/preference.ts";
import { example, message } from "../curation/sample-rows.ts";

it("a preference has messages on all three sides", () => {
  const row = {
    example: example("q"),
    split: "train",
    prompt: [message("user", "q")],
    chosen: [message("assistant", "right")],
    rejected: [message("assistant", "wrong")],
    chosenId: "a",
    rejectedId: "b",
    reason: "wrong_at_first_turn",
    simulated: false,
  };
  expect(PreferenceRow.safeParse(row).success).toBe(true);
  expect(PreferenceRow.safeParse({ ...row, rejected: [] }).success).toBe(false);
});
