import { expect, it } from "vitest";
import { Correction } from "../../core/correction.ts";

const CORRECTION = {
  dataset: "spider",
  split: "dev",
  sourceId: "12",
  field: "gold",
  before: "SELECT 1",
  after: "SELECT 2",
  kind: "wrong gold",
  reason: "",
  author: "a person",
  time: "2024-01-02T03:04:05.000Z",
};

it("a correction changes gold, question or evidence and says by whom", () => {
  expect(Correction.parse(CORRECTION)).toEqual(CORRECTION);
  expect(Correction.safeParse({ ...CORRECTION, before: null }).success).toBe(true);
  expect(Correction.safeParse({ ...CORRECTION, field: "databaseId" }).success).toBe(false);
  expect(Correction.safeParse({ ...CORRECTION, author: "" }).success).toBe(false);
  expect(Correction.safeParse({ ...CORRECTION, after: undefined }).success).toBe(false);
});
