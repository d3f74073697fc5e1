import { expect, it } from "vitest";
import { GuardOptions } from "../../curation/guard-options.ts";

it("looks for everything by default, and for paraphrases down to a threshold", () => {
  expect(GuardOptions.parse({})).toEqual({
    databases: true,
    questions: true,
    minimumWords: 5,
    near: { threshold: 0.3 },
  });
  expect(GuardOptions.parse({ near: null }).near).toBeNull();
  expect(GuardOptions.safeParse({ near: { threshold: 1.1 } }).success).toBe(false);
});
