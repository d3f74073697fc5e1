import { expect, it } from "vitest";
import { defineCheck } from "../../core/check.ts";

it("a check is told apart by its kind", () => {
  const check = defineCheck({ id: "quiet", version: 1, title: "finds nothing", kinds: {}, find: () => [] });
  expect(check).toMatchObject({ kind: "check", id: "quiet", version: 1 });
});
