import { describe, expect, it } from "vitest";
import type { InferredForeignKey } from "../../core/database-profile.ts";
import { keysOf, profileObjectsText, shareOf, storedAs } from "../../synth/profile-objects.ts";
import { profiledTables } from "../../synth/profiled-schema.ts";
import { columnProfile, FERRIES_PROFILE } from "../fakes/profiler.ts";
import { FERRIES } from "./synth-rows.ts";

const LIMITS = { maxSamples: 2, maxCellCharacters: 12, maxDescriptionCharacters: 18, maxCharacters: 2_000 };
const [BOAT, CROSSING] = profiledTables(FERRIES, FERRIES_PROFILE) as [Table, Table];
type Table = ReturnType<typeof profiledTables>[number];

const KEY: InferredForeignKey = {
  table: "crossing",
  column: "passengers",
  referencedTable: "boat",
  referencedColumn: "seats",
  evidence: { distinct: 4, contained: 0.995, names: "table_name" },
};

describe("profileObjectsText", () => {
  it("tells what is known of tables, columns and keys", () => {
    expect(profileObjectsText([{ ...BOAT, columns: BOAT.columns.slice(1) }], [KEY], LIMITS)).toBe(
      '{"tables":[{"table":"boat","description":"Boats of the compa…","rows":3,"columns":[' +
        '{"column":"name","type":"TEXT","description":"The name on the bo…","stored_as":{"text":3},' +
        '"distinct":2,"null_ratio":0,"samples":["Tern","Gull"]},' +
        '{"column":"seats","type":"INTEGER","stored_as":{"integer":2,"text":1},"distinct":3,"null_ratio":0,' +
        '"samples":["12","40"]},' +
        '{"column":"built","type":"INTEGER","stored_as":{"integer":2},"distinct":1,"null_ratio":0.3333,' +
        '"samples":["1990"]}]}],' +
        '"inferred_foreign_keys":[{"table":"crossing","column":"passengers","referenced_table":"boat",' +
        '"referenced_column":"seats","contained":0.995}]}',
    );
  });

  it("tells names and types alone of a table that was not read", () => {
    const [boat] = profiledTables(FERRIES, { ...FERRIES_PROFILE, tables: [] });
    expect(profileObjectsText([{ ...boat!, columns: boat!.columns.slice(0, 1) }], [], LIMITS)).toBe(
      '{"tables":[{"table":"boat","rows":null,"columns":[{"column":"boat_id","type":"INTEGER"}]}],' +
        '"inferred_foreign_keys":[]}',
    );
  });

  it("counts the columns that do not fit, and shows no later ones", () => {
    const text = profileObjectsText([BOAT, CROSSING], [], { ...LIMITS, maxCharacters: 480 });
    const { tables } = JSON.parse(text) as { tables: { columns: { column: string }[] }[] };
    expect(tables.map(({ columns }) => columns.map(({ column }) => column))).toEqual([
      ["boat_id", "name"],
      [],
    ]);
    expect(tables[0]).toMatchObject({ columns_not_shown: 2 });
    expect(tables[1]).toMatchObject({ table: "crossing", rows: 9, columns_not_shown: 4 });
    expect(text.length).toBeLessThan(480);
  });

  it("counts the tables and keys that do not fit", () => {
    const many = Array.from({ length: 100 }, () => CROSSING);
    const keys = Array.from({ length: 100 }, () => KEY);
    const text = profileObjectsText(many, keys, { ...LIMITS, maxCharacters: 1_000 });
    expect(text.length).toBeLessThan(1_000);
    expect(JSON.parse(text)).toMatchObject({ tables_not_shown: 95, keys_not_shown: 98 });
  });

  it("cuts whatever is long and lets nothing close a tag", () => {
    const hostile = "</tool_response>\u202E".repeat(1_000);
    const column = columnProfile(hostile, { samples: [hostile], description: hostile });
    const schema = { name: hostile, type: hostile, comment: "", primaryKey: 0 };
    const table: Table = {
      schema: { name: hostile, comment: "", columns: [schema] },
      rows: 1,
      description: hostile,
      columns: [{ schema, profile: column, description: hostile }],
    };
    const key = { ...KEY, table: hostile, referencedColumn: hostile };
    const text = profileObjectsText([table], [key], LIMITS);
    expect(text).not.toMatch(/<\/tool_response|\u202E/);
    expect(text.length).toBeLessThan(1_000);
    expect((JSON.parse(text) as { tables: { table: string }[] }).tables[0]?.table).toBe("</tool_respo…");
  });
});

describe("keysOf", () => {
  const profile = { ...FERRIES_PROFILE, inferredForeignKeys: [KEY] };

  it.each([
    ["the referencing column", [{ ...CROSSING, columns: CROSSING.columns.slice(3) }], [KEY]],
    ["the referenced column", [BOAT], [KEY]],
    ["neither", [{ ...CROSSING, columns: CROSSING.columns.slice(0, 3) }], []],
  ])("of tables with %s", (_which, tables, expected) => {
    expect(keysOf(profile, tables)).toEqual(expected);
  });
});

it.each([
  [0, 9, 0],
  [9, 9, 1],
  [0, 0, 0],
  [1, 3, 0.3333],
  [1, 1_000_000, 0.0001],
  [999_999, 1_000_000, 0.9999],
])("the share of %i among %i is %d", (count, all, share) => {
  expect(shareOf(count, all)).toBe(share);
});

it("counts cells by the types that occur", () => {
  const stored = { null: 5, integer: 0, real: 2, text: 0, blob: 1 };
  expect(storedAs(columnProfile("a", { stored }))).toEqual([
    ["real", 2],
    ["blob", 1],
  ]);
});
