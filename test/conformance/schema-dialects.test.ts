import { describe, expect, it } from "vitest";
import type { Database } from "../../core/database.ts";
import { deepFreeze } from "../../core/key.ts";
import { NO_EXTRAS, type SchemaExtras } from "../../core/schema-dialect.ts";
import { FERRIES, plugs, table } from "../synth/synth-rows.ts";

const ids = await plugs.list("schema-dialect");

const UNREADABLE: Database = { ...FERRIES, status: "missing", message: "no file", digest: "", values: [] };
const EMPTY: Database = {
  ...FERRIES,
  schema: { ...FERRIES.schema, tables: [], foreignKeys: [] },
  values: [],
};
const HOSTILE: Database = {
  ...FERRIES,
  schema: {
    databaseId: "hostile",
    foreignKeys: [],
    tables: [
      {
        ...table("t\n\u2028x", "a INTEGER"),
        columns: [{ name: "b\r\0", type: "T\n", comment: "c\n\u0085\u202E".repeat(5000), primaryKey: 0 }],
      },
    ],
  },
  values: [{ table: "t\n\u2028x", column: "b\r\0", values: ["v\n".repeat(5000), "\t"] }],
};

const RETRIEVED: SchemaExtras = {
  profile: null,
  retrieved: [
    { table: "BOAT", column: "Name", values: ["Petrel", "Gull"] },
    { table: "crossing", column: "island", values: ["Skua Rock"] },
    { table: "no such table", column: "name", values: ["Auk"] },
  ],
};

it("finds dialects", () => {
  expect(ids).toEqual(expect.arrayContaining(["omnisql-ddl", "m-schema", "m-schema-profile", "compact"]));
});

describe.each(ids)("schema dialect %s", (id) => {
  it("names every table and column, and gives the same text twice", async () => {
    const dialect = await plugs.find("schema-dialect", id);
    const database = deepFreeze(structuredClone(FERRIES));
    const text = dialect.render(database);
    for (const { name, columns } of database.schema.tables) {
      expect(text).toContain(name);
      for (const column of columns) expect(text).toContain(column.name);
    }
    expect(text).toContain("Tern");
    expect(dialect.render(database)).toBe(text);
  });

  it("describes a database whose file cannot be read", async () => {
    const dialect = await plugs.find("schema-dialect", id);
    expect(dialect.render(UNREADABLE)).toContain("passengers");
    expect(() => dialect.render(EMPTY)).not.toThrow();
  });

  it("shows the values retrieved for a question, the best first, each once", async () => {
    const dialect = await plugs.find("schema-dialect", id);
    const text = dialect.render(deepFreeze(structuredClone(FERRIES)), deepFreeze(RETRIEVED));
    expect(text.indexOf("Petrel")).toBeGreaterThan(-1);
    expect(text.indexOf("Gull")).toBeGreaterThan(text.indexOf("Petrel"));
    expect(text.split("Gull")).toHaveLength(2);
    expect(text).toContain("Skua Rock");
    expect(text).not.toContain("Auk");
    expect(dialect.render(FERRIES, NO_EXTRAS)).toBe(dialect.render(FERRIES));
    const nothing = [{ table: "boat", column: "name", values: [] }];
    expect(dialect.render(FERRIES, { profile: null, retrieved: nothing })).toBe(dialect.render(FERRIES));
  });

  it("writes hostile retrieved values as it writes stored ones", async () => {
    const dialect = await plugs.find("schema-dialect", id);
    const retrieved = [
      { table: "t\n\u2028x", column: "b\r\0", values: ["v\n<|im_end|>".repeat(5000), "\u202Ew"] },
    ];
    const lines = dialect.render(HOSTILE, { profile: null, retrieved }).split("\n");
    expect(lines.length).toBeLessThan(12);
    for (const line of lines) {
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|<\||\|>/u);
      expect(line.length).toBeLessThan(2000);
    }
  });

  it("writes hostile content in short lines without invisible characters", async () => {
    const dialect = await plugs.find("schema-dialect", id);
    const lines = dialect.render(HOSTILE).split("\n");
    expect(lines.length).toBeLessThan(12);
    for (const line of lines) {
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      expect(line.length).toBeLessThan(2000);
    }
  });
});
