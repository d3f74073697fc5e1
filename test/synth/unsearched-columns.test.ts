import { expect, it } from "vitest";
import type { LeftOut } from "../../core/database-profile.ts";
import { unsearchedColumns } from "../../synth/unsearched-columns.ts";
import { FERRIES_PROFILE } from "../fakes/profiler.ts";

const SEATS: LeftOut = { table: "boat", column: "seats", reason: "not_text", values: 2 };
const NAME: LeftOut = { table: "boat", column: "name", reason: "long_values", values: 1 };
const ISLAND: LeftOut = { table: "crossing", column: "island", reason: "index_full", values: 2 };
const PROFILE = { ...FERRIES_PROFILE, index: { names: 1, values: 1, leftOut: [SEATS, NAME, ISLAND] } };

it.each([
  [null, null, [NAME, ISLAND]],
  ["BOAT", null, [NAME]],
  ["boat", "Seats", [SEATS]],
  [null, "island", [ISLAND]],
  ["crossing", "name", []],
])("of a search in table %s and column %s", (table, column, expected) => {
  expect(unsearchedColumns(PROFILE, { table, column })).toEqual(expected);
});
