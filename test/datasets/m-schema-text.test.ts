import { expect, it } from "vitest";
import { mSchemaText } from "../../datasets/m-schema-text.ts";
import { CLUB_PROFILE, clubDatabase, column, columnProfile } from "./club-database.ts";

it("writes extreme cells of a profile, and takes meanings of it where the dataset has none", () => {
  const tables = [{ name: "t", comment: "", columns: [column("a", "REAL"), column("b", "TEXT")] }];
  const profile = {
    ...CLUB_PROFILE,
    tables: [
      {
        name: "T",
        rows: 2,
        description: "two\nrows",
        columns: [
          columnProfile("A", {
            stored: { null: 0, integer: 0, real: 2, text: 0, blob: 0 },
            distinct: 2,
            minimum: { real: "-Infinity" },
            maximum: { real: "Infinity" },
          }),
          columnProfile("b", {
            stored: { null: 0, integer: 0, real: 0, text: 2, blob: 0 },
            distinct: 2,
            minimum: "a, b",
            maximum: "z".repeat(60),
            description: "letters",
          }),
        ],
      },
    ],
  };
  expect(mSchemaText(clubDatabase({ tables }), { profile, retrieved: [] })).toBe(
    [
      "【DB_ID】 club",
      "【Schema】",
      "# Table: t, two rows, 2 rows",
      "[",
      "(a:REAL, No NULLs, Statistics: [distinct 2, NULL 0, min -Infinity, max Infinity]),",
      `(b:TEXT, letters, No NULLs, Statistics: [distinct 2, NULL 0, min 'a, b', max ${"z".repeat(50)}...])`,
      "]",
    ].join("\n"),
  );
});
