import { describe, expect, it } from "vitest";
import type { Database } from "../../core/database.ts";
import { reduceSchema } from "../../synth/reduce-schema.ts";
import { FERRIES } from "./synth-rows.ts";

const listing = ({ schema }: Database) =>
  schema.tables.map(({ name, columns }) => `${name}: ${columns.map((column) => column.name).join(" ")}`);

describe("reduceSchema", () => {
  it("keeps what was found with the keys that join it, in the schema's order", () => {
    const reduced = reduceSchema(FERRIES, [
      { table: "CROSSING", columns: ["Island"] },
      { table: "boat", columns: ["name", "nothing"] },
    ]);
    expect(listing(reduced)).toEqual(["boat: boat_id name", "crossing: crossing_id boat_id island"]);
    expect(reduced.schema.foreignKeys).toEqual(FERRIES.schema.foreignKeys);
    expect(reduced.rowCounts).toEqual([3, 9]);
    expect(reduced.values).toEqual(FERRIES.values);
  });

  it("keeps a table without columns by its keys, and no key to a table that is gone", () => {
    const reduced = reduceSchema({ ...FERRIES, describedForeignKeys: FERRIES.schema.foreignKeys }, [
      { table: "crossing", columns: [] },
      { table: "quay", columns: ["x"] },
    ]);
    expect(listing(reduced)).toEqual(["crossing: crossing_id"]);
    expect(reduced.schema.foreignKeys).toEqual([]);
    expect(reduced.describedForeignKeys).toEqual([]);
    expect(reduced.rowCounts).toEqual([9]);
    expect(reduced.values).toEqual([]);
  });

  it("leaves no table where none was found", () => {
    expect(listing(reduceSchema(FERRIES, []))).toEqual([]);
  });
});
