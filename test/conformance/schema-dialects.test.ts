import { describe, expect, it } from "vitest";
import type { Database } from "../../core/database.ts";
import { deepFreeze } from "../../core/key.ts";
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

it("finds dialects", () => {
  expect(ids).toContain("omnisql-ddl");
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
