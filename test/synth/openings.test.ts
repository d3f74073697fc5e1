import { describe, expect, it } from "vitest";
import type { DatabaseProfile } from "../../core/database-profile.ts";
import { type DatabaseProfiler, ProfileOptions } from "../../core/database-profiler.ts";
import { defineSchemaDialect } from "../../core/schema-dialect.ts";
import { Openings } from "../../synth/openings.ts";
import { NO_PROFILER } from "../fakes/run-stage.ts";
import { example, FERRIES } from "./synth-rows.ts";

const PROFILE: DatabaseProfile = {
  databaseId: "ferries",
  databaseDigest: FERRIES.digest,
  tables: [],
  inferredForeignKeys: [],
  index: { names: 0, values: 0, leftOut: [] },
};

/** Says which columns a text would show, and what else it was given. */
const LISTING = defineSchemaDialect({
  id: "listing",
  version: 1,
  render: ({ schema }, extras) =>
    [
      ...schema.tables.map(
        ({ name, columns }) => `${name}: ${columns.map((column) => column.name).join(" ")}`,
      ),
      ...(extras?.retrieved ?? []).map(({ table, column, values }) => `${table}.${column} ${values.join()}`),
      extras?.profile === null ? "no profile" : "profile",
    ].join("\n"),
});

/** Knows one value, and counts what it is asked. */
class OneValue implements DatabaseProfiler {
  profiles = 0;

  profile(): Promise<DatabaseProfile> {
    this.profiles += 1;
    return Promise.resolve(PROFILE);
  }

  search() {
    const value = { table: "boat", column: "name", value: "Gull", score: 9 };
    return Promise.resolve({ names: [], values: [value] });
  }
}

function openings(
  profiler: DatabaseProfiler,
  parts: { retrievesValues?: boolean; needsProfile?: boolean } = {},
) {
  const { retrievesValues = false, needsProfile = false } = parts;
  const dialect = { ...LISTING, needsProfile };
  const made = new Openings({ dialect, retrievesValues, profileOptions: ProfileOptions.parse({}) }, profiler);
  made.addDatabase(FERRIES);
  return made;
}

const ASKED = { example: example("1", { question: "When was the Gull built?" }), history: [], links: null };

describe("Openings", () => {
  it("profiles nothing where nothing needs it", async () => {
    const { opening, profile } = await openings(NO_PROFILER).prepare({ ...ASKED, needsProfile: false });
    expect(profile).toBeNull();
    expect(opening.schemaText).toBe(
      "boat: boat_id name seats built\ncrossing: crossing_id boat_id island passengers\nno profile",
    );
    expect(opening.links).toBeNull();
  });

  it("profiles a database once for the tools and texts that need it", async () => {
    const profiler = new OneValue();
    const forTools = openings(profiler);
    for (let time = 0; time < 3; time += 1) {
      const { opening, profile } = await forTools.prepare({ ...ASKED, needsProfile: true });
      expect(profile).toBe(PROFILE);
      expect(opening.schemaText).toContain("no profile");
    }
    expect(profiler.profiles).toBe(1);
    const forTexts = openings(profiler, { needsProfile: true });
    const { opening, profile } = await forTexts.prepare({ ...ASKED, needsProfile: false });
    expect(profile).toBe(PROFILE);
    expect(opening.schemaText).toMatch(/\nprofile$/);
  });

  it("shows values that the question asks for", async () => {
    const retrieving = openings(new OneValue(), { retrievesValues: true });
    const { opening } = await retrieving.prepare({ ...ASKED, needsProfile: false });
    expect(opening.schemaText).toContain("boat.name Gull");
  });

  it("reduces the text to what a linker found", async () => {
    const links = [{ table: "boat", columns: ["name"] }];
    const { opening } = await openings(NO_PROFILER).prepare({ ...ASKED, links, needsProfile: false });
    expect(opening.links).toEqual(links);
    expect(opening.schemaText).toBe("boat: boat_id name\nno profile");
  });

  it("refuses an example whose database has no row", async () => {
    const lost = { ...ASKED, example: example("2", { databaseId: "lost" }), needsProfile: false };
    await expect(openings(NO_PROFILER).prepare(lost)).rejects.toMatchObject({ code: "DATABASE_UNKNOWN" });
  });
});
