import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DatabaseSchema } from "../../core/database.ts";
import type { InspectRequest } from "../../core/inspector.ts";
import { copyDatabase, databaseFileKind, settleDatabase } from "../../io/database-files.ts";
import { inspectDatabase } from "../../io/inspect-database.ts";
import { openConnection } from "../../io/sql-driver.ts";
import { DatabaseFixture } from "./database-fixture.ts";

let fixture: DatabaseFixture;

beforeAll(() => {
  fixture = new DatabaseFixture();
});

afterAll(() => {
  fixture.remove();
});

const DESCRIBED: DatabaseSchema = {
  databaseId: "harbour",
  tables: [
    {
      name: "SHIP",
      comment: "every ship",
      columns: [{ name: "NAME", type: "text", comment: "painted on the bow", primaryKey: 0 }],
    },
  ],
  foreignKeys: [{ table: "BERTH", column: "SHIP_ID", referencedTable: "SHIP", referencedColumn: "ID" }],
};

const HARBOUR = `
  CREATE TABLE ship (id INTEGER PRIMARY KEY, name TEXT, mass, picture BLOB);
  CREATE TABLE berth (harbour TEXT, number INTEGER, ship_id INTEGER REFERENCES ship, PRIMARY KEY (harbour, number),
    FOREIGN KEY (ship_id) REFERENCES ship (id)) WITHOUT ROWID;
  CREATE VIEW moored AS SELECT * FROM ship;
  INSERT INTO ship VALUES (5, 'Elbe', 1.5, x'01'), (2, 'Oder', 3, NULL), (3, '', NULL, NULL), (4, 'Elbe', 9, NULL),
    (9, '${"long ".repeat(20)}', 'heavy', x'02');
  INSERT INTO berth VALUES ('Kiel', 2, 5), ('Bremen', 7, NULL), ('Kiel', 1, 2);
`;

function request(file: string | null, described: DatabaseSchema | null = null): InspectRequest {
  return { databaseId: "harbour", path: file, described, valuesPerColumn: 2 };
}

describe("inspectDatabase", () => {
  it("reads schema, counts and example values, with comments by name", async () => {
    const file = fixture.create("harbour.sqlite", HARBOUR);
    const bytes = readFileSync(file);
    const database = await inspectDatabase(request(file, DESCRIBED), null);
    expect(database).toEqual({
      databaseId: "harbour",
      status: "ok",
      message: "",
      digest: createHash("sha256").update(bytes).digest("hex"),
      bytes: bytes.length,
      schema: {
        databaseId: "harbour",
        tables: [
          {
            name: "ship",
            comment: "every ship",
            columns: [
              { name: "id", type: "INTEGER", comment: "", primaryKey: 1 },
              { name: "name", type: "TEXT", comment: "painted on the bow", primaryKey: 0 },
              { name: "mass", type: "", comment: "", primaryKey: 0 },
              { name: "picture", type: "BLOB", comment: "", primaryKey: 0 },
            ],
          },
          {
            name: "berth",
            comment: "",
            columns: [
              { name: "harbour", type: "TEXT", comment: "", primaryKey: 1 },
              { name: "number", type: "INTEGER", comment: "", primaryKey: 2 },
              { name: "ship_id", type: "INTEGER", comment: "", primaryKey: 0 },
            ],
          },
        ],
        foreignKeys: [
          { table: "berth", column: "ship_id", referencedTable: "ship", referencedColumn: "id" },
          { table: "berth", column: "ship_id", referencedTable: "ship", referencedColumn: "id" },
        ],
      },
      describedForeignKeys: [
        { table: "BERTH", column: "SHIP_ID", referencedTable: "SHIP", referencedColumn: "ID" },
      ],
      rowCounts: [5, 3],
      values: [
        { table: "ship", column: "id", values: ["2", "3"] },
        { table: "ship", column: "name", values: ["Oder", "Elbe"] },
        { table: "ship", column: "mass", values: ["3", "9"] },
        { table: "ship", column: "picture", values: [] },
        { table: "berth", column: "harbour", values: ["Bremen", "Kiel"] },
        { table: "berth", column: "number", values: ["7", "1"] },
        { table: "berth", column: "ship_id", values: ["2", "5"] },
      ],
    });
  });

  it("cuts long values to 40 characters", async () => {
    const file = fixture.create(
      "long.sqlite",
      `CREATE TABLE t (a); INSERT INTO t VALUES ('${"é".repeat(50)}')`,
    );
    const { values } = await inspectDatabase(request(file), null);
    expect(values).toEqual([{ table: "t", column: "a", values: ["é".repeat(40)] }]);
  });

  it("says what is wrong with a file, and shows the described schema instead", async () => {
    const text = path.join(fixture.folder, "text.sqlite");
    writeFileSync(text, "not a database at all");
    const cut = fixture.create(
      "cut.sqlite",
      "CREATE TABLE t (a); WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r LIMIT 5000) INSERT INTO t SELECT i FROM r",
    );
    truncateSync(cut, 8192);
    const missing = await inspectDatabase(request(null, DESCRIBED), null);
    expect(missing).toMatchObject({ status: "missing", digest: "", bytes: 0, schema: DESCRIBED });
    expect(await inspectDatabase(request(path.join(fixture.folder, "no.sqlite")), null)).toMatchObject({
      status: "missing",
      schema: { databaseId: "harbour", tables: [], foreignKeys: [] },
    });
    expect(await inspectDatabase(request(text), null)).toMatchObject({ status: "not_a_database", bytes: 21 });
    const corrupt = await inspectDatabase(request(cut), null);
    expect(corrupt).toMatchObject({ status: "corrupt", bytes: 8192, rowCounts: [] });
    expect(corrupt.message).not.toBe("");
  });
});

describe("a database with a write-ahead log", () => {
  it("is read from a settled copy, and nothing appears beside it", async () => {
    const file = path.join(fixture.folder, "wal", "harbour.sqlite");
    const source = new DatabaseFixture();
    const live = source.create("harbour.sqlite", "PRAGMA journal_mode = WAL; CREATE TABLE t (a)");
    const writer = openConnection(live, { readOnly: false });
    writer.exec("PRAGMA wal_autocheckpoint = 0; INSERT INTO t VALUES (1), (2)");
    await copyDatabase(live, path.dirname(file));
    writer.close();
    source.remove();
    const before = readdirSync(path.dirname(file));
    expect(before).toEqual(["harbour.sqlite", "harbour.sqlite-wal"]);

    expect(await databaseFileKind(file)).toBe("journaled");
    const copy = await copyDatabase(file, path.join(fixture.folder, "copy"));
    settleDatabase(copy);
    expect(await databaseFileKind(copy)).toBe("plain");
    const database = await inspectDatabase(request(file), copy);
    expect(database).toMatchObject({ status: "wal", rowCounts: [2] });
    expect(database.message).toContain("copy");
    expect(readdirSync(path.dirname(file))).toEqual(before);
  });
});
