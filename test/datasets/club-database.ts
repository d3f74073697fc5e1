import type { ColumnSchema, Database } from "../../core/database.ts";
import type { ColumnProfile, DatabaseProfile } from "../../core/database-profile.ts";

/** A column of a table of {@link clubDatabase}. */
export function column(name: string, type: string, comment = "", primaryKey = 0): ColumnSchema {
  return { name, type, comment, primaryKey };
}

/** A readable database named `club`. */
export function clubDatabase(
  parts: Partial<Database["schema"]> = {},
  values: Database["values"] = [],
): Database {
  return {
    databaseId: "club",
    status: "ok",
    message: "",
    digest: "0".repeat(64),
    bytes: 1,
    schema: { databaseId: "club", tables: [], foreignKeys: [], ...parts },
    describedForeignKeys: null,
    rowCounts: [],
    values,
  };
}

/** Members and the fees that they pay: keys of one and two columns, declared types of several kinds. */
export const CLUB: Database = clubDatabase(
  {
    tables: [
      {
        name: "member",
        comment: "people\n who pay",
        columns: [
          column("member_id", "integer", "Member ID", 1),
          column("full name", "varchar(20)", "given and family name"),
          column("joined", "date"),
          column("note", ""),
        ],
      },
      {
        name: "Fee",
        comment: "",
        columns: [
          column("year", "INT", "", 2),
          column("member", "INT", "", 1),
          column("amount", "DECIMAL(10, 2)"),
        ],
      },
    ],
    foreignKeys: [
      { table: "fee", column: "Member", referencedTable: "MEMBER", referencedColumn: "" },
      { table: "Fee", column: "year", referencedTable: "season", referencedColumn: "year" },
    ],
  },
  [
    { table: "member", column: "member_id", values: ["1", "2", "3", "4"] },
    { table: "member", column: "Full Name", values: ["Ann Lee", "O'Neil, Ben"] },
    { table: "member", column: "joined", values: ["2020-01-02", "2021-03-04"] },
    { table: "Fee", column: "amount", values: ["2.5", "n/a"] },
  ],
);

/** A column's profile with texts alone. */
export function columnProfile(name: string, parts: Partial<ColumnProfile> = {}): ColumnProfile {
  return {
    name,
    stored: { null: 0, integer: 0, real: 0, text: 0, blob: 0 },
    distinct: 0,
    minimum: null,
    maximum: null,
    samples: [],
    description: "",
    ...parts,
  };
}

/** What could be known of {@link CLUB}: of the table `member` alone. */
export const CLUB_PROFILE: DatabaseProfile = {
  databaseId: "club",
  databaseDigest: "0".repeat(64),
  tables: [
    {
      name: "member",
      rows: 40,
      description: "not shown: the dataset has a comment",
      columns: [
        columnProfile("member_id", {
          stored: { null: 0, integer: 40, real: 0, text: 0, blob: 0 },
          distinct: 40,
          minimum: 1,
          maximum: { integer: "9007199254740993" },
          samples: ["1"],
        }),
        columnProfile("Full Name", {
          stored: { null: 2, integer: 1, real: 0, text: 37, blob: 0 },
          distinct: 30,
          minimum: 12,
          maximum: "Zoe",
          samples: ["Ann Lee", "", "Cy", "Di", "Ed"],
        }),
        columnProfile("joined", {
          stored: { null: 40, integer: 0, real: 0, text: 0, blob: 0 },
          description: "first day",
        }),
        columnProfile("note", {
          stored: { null: 0, integer: 0, real: 0, text: 0, blob: 40 },
          distinct: 4,
          minimum: { blob: "00" },
          maximum: { blob: "ff" },
        }),
      ],
    },
  ],
  inferredForeignKeys: [
    {
      table: "Fee",
      column: "year",
      referencedTable: "member",
      referencedColumn: "joined",
      evidence: { distinct: 3, contained: 1, names: "same_name" },
    },
    {
      table: "Fee",
      column: "year",
      referencedTable: "gone",
      referencedColumn: "year",
      evidence: { distinct: 3, contained: 1, names: "same_name" },
    },
  ],
  index: { names: 0, values: 0, leftOut: [] },
};
