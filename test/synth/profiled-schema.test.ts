import { describe, expect, it } from "vitest";
import { knownProfile, profiledTable, profiledTables } from "../../synth/profiled-schema.ts";
import { columnProfile, FERRIES_PROFILE } from "../fakes/profiler.ts";
import { FakeSqlRunner } from "../fakes/sql-runner.ts";
import { toolContext } from "../fakes/tool-context.ts";
import { FERRIES, table } from "./synth-rows.ts";

describe("knownProfile", () => {
  it("is the context's profile, or says that there is none", () => {
    const context = toolContext(FERRIES, new FakeSqlRunner());
    expect(knownProfile({ ...context, profile: FERRIES_PROFILE })).toEqual({
      ok: true,
      value: FERRIES_PROFILE,
    });
    expect(knownProfile(context)).toEqual({
      ok: false,
      problem: "No profile was made of the database ferries.",
    });
  });
});

describe("profiledTables", () => {
  it("puts schema and profile together, in the schema's order", () => {
    const [boat, crossing] = profiledTables(FERRIES, FERRIES_PROFILE);
    expect([boat?.schema.name, boat?.rows, boat?.description]).toEqual(["boat", 3, "Boats of the company."]);
    expect(boat?.columns.map(({ schema }) => schema.name)).toEqual(["boat_id", "name", "seats", "built"]);
    expect(boat?.columns[1]?.profile?.samples).toEqual(["Tern", "Gull"]);
    expect([crossing?.rows, crossing?.description]).toEqual([9, ""]);
  });
});

describe("profiledTable", () => {
  const boat = table("Boat", "NAME TEXT", "name2 TEXT");

  it("finds names without ASCII case, the same spelling first", () => {
    const profile = {
      ...FERRIES_PROFILE,
      tables: [
        { name: "boat", rows: 1, description: "", columns: [] },
        { name: "Boat", rows: 2, description: "", columns: [columnProfile("name", { distinct: 7 })] },
      ],
    };
    const found = profiledTable(boat, profile);
    expect(found.rows).toBe(2);
    expect(found.columns.map((column) => column.profile?.distinct ?? null)).toEqual([7, null]);
  });

  it("knows nothing of a table without a profile but what the dataset says", () => {
    const described = {
      ...boat,
      comment: "Boats.",
      columns: boat.columns.map((column) => ({ ...column, comment: "A name." })),
    };
    const found = profiledTable(described, { ...FERRIES_PROFILE, tables: [] });
    expect([found.rows, found.description]).toEqual([null, "Boats."]);
    expect(found.columns[0]).toEqual({
      schema: described.columns[0],
      profile: null,
      description: "A name.",
    });
  });
});
