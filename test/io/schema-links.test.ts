import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DatabaseSchema } from "../../core/database.ts";
import { schemaLinks } from "../../io/schema-links.ts";

const column = (name: string, type = "", primaryKey = 0) => ({ name, type, comment: "", primaryKey });
const table = (name: string, columns: readonly ReturnType<typeof column>[]) => ({
  name,
  comment: "",
  columns: [...columns],
});

const SCHEMA: DatabaseSchema = {
  databaseId: "ferries",
  tables: [
    table("Ferry", [column("ID", "INTEGER", 1), column("Name"), column("home port", "varchar(20); DROP")]),
    table("crossing", [column("ferry_id", "number"), column("Day"), column("fare")]),
    table("captain", [column("ferry_id"), column("name"), column("Day")]),
    table("odd \"table'", [column('a"b'), column("select"), column("SELECT"), column("")]),
    table("bare", []),
    table("sqlite_sequence", [column("name"), column("seq")]),
  ],
  foreignKeys: [{ table: "crossing", column: "ferry_id", referencedTable: "Ferry", referencedColumn: "ID" }],
};

/** Links as `table` and `table.column`; what SQLite says where it refuses. */
function links(sql: string, schema = SCHEMA): string[] | string {
  const found = schemaLinks(sql, schema);
  if (!found.ok) return found.message;
  return [...found.tables, ...found.columns.map((one) => `${one.table}.${one.column}`)];
}

describe("schemaLinks", () => {
  it.each<[string, string[]]>([
    ["SELECT NAME FROM FERRY", ["Ferry", "Ferry.Name"]],
    ["SELECT f.name FROM ferry AS f", ["Ferry", "Ferry.Name"]],
    ["SELECT * FROM captain", ["captain", "captain.Day", "captain.ferry_id", "captain.name"]],
    [
      "SELECT c.* FROM crossing c JOIN ferry ON c.ferry_id = id",
      ["Ferry", "crossing", "Ferry.ID", "crossing.Day", "crossing.fare", "crossing.ferry_id"],
    ],
    ["SELECT count(*) FROM crossing", ["crossing"]],
    ["SELECT 1 FROM crossing, CAPTAIN", ["captain", "crossing"]],
    ["SELECT 1", []],
    ["VALUES (1)", []],
    ["SELECT [home port] FROM ferry", ["Ferry", "Ferry.home port"]],
    ['SELECT name FROM ferry WHERE name = "Aurora"', ["Ferry", "Ferry.Name"]],
    ['SELECT name FROM ferry WHERE "id" = "name"', ["Ferry", "Ferry.ID", "Ferry.Name"]],
    ["SELECT rowid FROM crossing", ["crossing"]],
    ["SELECT rowid FROM ferry", ["Ferry", "Ferry.ID"]],
    [
      "SELECT name FROM ferry WHERE id IN (SELECT ferry_id FROM crossing WHERE fare > 3)",
      ["Ferry", "crossing", "Ferry.ID", "Ferry.Name", "crossing.fare", "crossing.ferry_id"],
    ],
    [
      "SELECT name FROM ferry f WHERE EXISTS (SELECT 1 FROM crossing WHERE ferry_id = f.id)",
      ["Ferry", "crossing", "Ferry.ID", "Ferry.Name", "crossing.ferry_id"],
    ],
    [
      "SELECT day FROM crossing UNION SELECT day FROM captain",
      ["captain", "crossing", "captain.Day", "crossing.Day"],
    ],
    ["SELECT fare FROM crossing ORDER BY day", ["crossing", "crossing.Day", "crossing.fare"]],
    ["SELECT x.n FROM (SELECT name AS n FROM ferry) x", ["Ferry", "Ferry.Name"]],
    ["WITH c AS (SELECT fare FROM crossing) SELECT fare FROM c", ["crossing", "crossing.fare"]],
    ["WITH c AS (SELECT fare FROM crossing) SELECT count(*) FROM c", ["crossing", "crossing.fare"]],
    // A common table expression that has the name of a table, and reads another one.
    [
      "WITH captain AS (SELECT fare FROM crossing) SELECT count(*) FROM captain",
      ["crossing", "crossing.fare"],
    ],
    [
      "WITH captain AS (SELECT fare AS day FROM crossing) SELECT day FROM captain",
      ["crossing", "crossing.fare"],
    ],
    ["WITH captain AS (SELECT 1) SELECT (SELECT count(*) FROM main.captain) FROM captain", ["captain"]],
    ["WITH c AS (SELECT fare FROM crossing) SELECT name FROM ferry", ["Ferry", "Ferry.Name"]],
    ["WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n", []],
    ["SELECT sum(fare) OVER (ORDER BY day) FROM crossing", ["crossing", "crossing.Day", "crossing.fare"]],
    [
      "SELECT fare FROM crossing JOIN captain USING (FERRY_ID)",
      ["captain", "crossing", "captain.ferry_id", "crossing.fare", "crossing.ferry_id"],
    ],
    [
      "SELECT count(*) FROM crossing JOIN captain USING (ferry_id)",
      ["captain", "crossing", "captain.ferry_id", "crossing.ferry_id"],
    ],
    [
      "SELECT count(*) FROM crossing c NATURAL JOIN captain k",
      ["captain", "crossing", "captain.Day", "captain.ferry_id", "crossing.Day", "crossing.ferry_id"],
    ],
    [
      "SELECT count(*) FROM crossing NATURAL JOIN (SELECT day FROM captain) AS d",
      ["captain", "crossing", "captain.Day", "crossing.Day"],
    ],
    [
      "WITH d AS (SELECT name AS fare FROM captain) SELECT 1 FROM d NATURAL JOIN crossing",
      ["captain", "crossing", "captain.name", "crossing.fare"],
    ],
    [
      "SELECT 1 FROM ferry WHERE EXISTS (SELECT 1 FROM crossing JOIN captain USING (day))",
      ["Ferry", "captain", "crossing", "captain.Day", "crossing.Day"],
    ],
    ["SELECT name FROM sqlite_master", []],
    ["SELECT seq FROM sqlite_sequence", ["sqlite_sequence", "sqlite_sequence.seq"]],
    ["SELECT value FROM ferry, json_each(ferry.name)", ["Ferry", "Ferry.Name"]],
    [`SELECT "a""b" FROM "odd ""table'"`, [`odd "table'`, `odd "table'.a"b`]],
    ["-- comment\nSELECT fare FROM crossing; ", ["crossing", "crossing.fare"]],
  ])("%s", (sql, expected) => {
    expect(links(sql)).toEqual(expected);
  });

  it.each([
    ["", /no statement/],
    [" ; -- nothing", /no statement/],
    ["SELECT absent FROM ferry", /no such column: absent/],
    ["SELECT name FROM nowhere", /no such table: nowhere/],
    ["SELECT day FROM crossing, captain", /ambiguous/],
    ["SELECT", /incomplete input/],
    ["SELECT 1; SELECT 2", /One statement/],
    ["DELETE FROM ferry", /./],
    ["WITH a AS (SELECT 1) DELETE FROM ferry", /reading statement/],
    ["SELECT load_extension('x')", /not allowed/],
    ["SELECT 1 FROM bare", /no such table/],
  ])("refuses %s", (sql, message) => {
    const found = schemaLinks(sql, SCHEMA);
    expect(found.ok ? "" : found.message).toMatch(message);
  });

  it("never runs the query", () => {
    const endless =
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n, ferry";
    expect(links(endless)).toEqual(["Ferry"]);
  });

  it("keeps the databases of many schemas apart", () => {
    const schemas = Array.from({ length: 40 }, (_, index) => ({
      databaseId: "harbour",
      tables: [table(`t${index}`, [column("a")])],
      foreignKeys: [],
    }));
    for (let round = 0; round < 2; round += 1) {
      for (const [index, schema] of schemas.entries()) {
        expect(links(`SELECT a FROM t${index}`, schema)).toEqual([`t${index}`, `t${index}.a`]);
        expect(links("SELECT a FROM t99", schema)).toMatch(/no such table/);
      }
    }
  });

  it("gives links or a message for any text, and the same again", () => {
    const words = fc.constantFrom(
      ..."SELECT FROM WITH c AS ( ) , * ferry crossing captain name day USING NATURAL JOIN ON = 'x' \"y\" UNION".split(
        " ",
      ),
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(words).map((some) => some.join(" ")),
    );
    fc.assert(
      fc.property(text, (sql) => {
        const found = schemaLinks(sql, SCHEMA);
        expect(schemaLinks(sql, SCHEMA)).toEqual(found);
        if (!found.ok) expect(found.message).not.toBe("");
      }),
      { numRuns: 300, seed: 11 },
    );
  });
});
