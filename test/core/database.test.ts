import { describe, expect, it } from "vitest";
import { Database, DatabaseSchema, isReadable } from "../../core/database.ts";
import { database } from "../curation/sample-rows.ts";

describe("Database", () => {
  it("holds no path, so that rows are the same on every machine", () => {
    const row = database("ferries");
    expect(Database.parse(row)).toEqual(row);
    expect(Database.safeParse({ ...row, path: "/data/ferries.sqlite" }).success).toBe(false);
  });

  it("refuses an empty id, a status it does not know and a negative row count", () => {
    expect(Database.safeParse(database("")).success).toBe(false);
    expect(Database.safeParse({ ...database("ferries"), status: "locked" }).success).toBe(false);
    expect(Database.safeParse(database("ferries", { rowCounts: [-1] })).success).toBe(false);
  });
});

describe("DatabaseSchema", () => {
  const column = { name: "id", type: "", comment: "", primaryKey: 1 };

  it("takes a column without a declared type, refuses a position below 0", () => {
    const schema = {
      databaseId: "a",
      tables: [{ name: "t", comment: "", columns: [column] }],
      foreignKeys: [],
    };
    expect(DatabaseSchema.parse(schema)).toEqual(schema);
    const wrong = {
      ...schema,
      tables: [{ name: "t", comment: "", columns: [{ ...column, primaryKey: -1 }] }],
    };
    expect(DatabaseSchema.safeParse(wrong).success).toBe(false);
  });
});

describe("isReadable", () => {
  it("says whether queries can be run", () => {
    const statuses = ["ok", "wal", "missing", "not_a_database", "corrupt"] as const;
    expect(statuses.map((status) => isReadable(database("a", { status })))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
