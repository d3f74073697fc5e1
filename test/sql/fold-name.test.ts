import { expect, it } from "vitest";
import { foldName } from "../../sql/fold-name.ts";

it("lowers ASCII letters and nothing else", () => {
  expect(foldName("Straße_ÄÖ İD 9")).toBe("straße_ÄÖ İd 9");
});
