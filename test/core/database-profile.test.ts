import { expect, it } from "vitest";
import { DatabaseProfile } from "../../core/database-profile.ts";
import { FERRIES_PROFILE } from "../fakes/profiler.ts";

it("is plain JSON that reads back as it was", () => {
  expect(DatabaseProfile.parse(JSON.parse(JSON.stringify(FERRIES_PROFILE)))).toEqual(FERRIES_PROFILE);
});

it("refuses figures that cannot be", () => {
  const key = {
    table: "crossing",
    column: "boat",
    referencedTable: "boat",
    referencedColumn: "name",
    evidence: { distinct: 3, contained: 1.2, names: "same_name" },
  };
  const leftOut = [{ table: "boat", column: "name", reason: "tired", values: 1 }];
  for (const parts of [
    { inferredForeignKeys: [key] },
    { index: { names: -1, values: 0, leftOut: [] } },
    { index: { names: 1, values: 0, leftOut } },
    { path: "/data" },
  ]) {
    expect(DatabaseProfile.safeParse({ ...FERRIES_PROFILE, ...parts }).success).toBe(false);
  }
});
