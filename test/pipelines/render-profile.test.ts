import { expect, it } from "vitest";
import type { DatabaseProfile } from "../../core/database-profile.ts";
import { renderMatches, renderProfile } from "../../pipelines/render-profile.ts";

const PROFILE: DatabaseProfile = {
  databaseId: "shops",
  databaseDigest: "d",
  tables: [
    {
      name: "shop",
      rows: 4,
      description: "",
      columns: [
        {
          name: "city",
          stored: { null: 1, integer: 0, real: 0, text: 3, blob: 0 },
          distinct: 2,
          minimum: "Bergen",
          maximum: "Oslo\u001b[31m",
          samples: ["Oslo\u001b[31m", "Bergen"],
          description: "",
        },
        {
          name: "nothing",
          stored: { null: 4, integer: 0, real: 0, text: 0, blob: 0 },
          distinct: 0,
          minimum: null,
          maximum: null,
          samples: [],
          description: "",
        },
      ],
    },
  ],
  inferredForeignKeys: [
    {
      table: "shop",
      column: "city_id",
      referencedTable: "city",
      referencedColumn: "id",
      evidence: { distinct: 2, contained: 1, names: "table_and_column" },
    },
  ],
  index: {
    names: 3,
    values: 1,
    leftOut: [
      { table: "shop", column: "note", reason: "long_values", values: 7 },
      { table: "shop", column: "size", reason: "not_text", values: 2 },
    ],
  },
};

it("a profile for a person", () => {
  expect(renderProfile(PROFILE)).toBe(
    [
      "shops: 1 table, 2 columns",
      "",
      "shop  4 rows",
      String.raw`  city  2 distinct; text; 25.0% null; "Bergen" to "Oslo\u001b[31m"; most often "Oslo\u001b[31m", "Bergen"`,
      "  nothing  0 distinct; 100.0% null",
      "",
      "keys that nothing declares:",
      "  shop.city_id -> city.id  all of 2 values are there; names: table and column",
      "",
      "search index: 3 names, 1 value",
      "  left out: 7 values of shop.note (long values)",
      "  left out: 2 values of 1 column (not text)",
    ].join("\n"),
  );
});

it("a database without keys or tables", () => {
  const index = { names: 0, values: 0, leftOut: [] };
  const empty = { databaseId: "x", databaseDigest: "", tables: [], inferredForeignKeys: [], index };
  expect(renderProfile(empty)).toBe(
    "x: 0 tables, 0 columns\n\nkeys that nothing declares: none\n\nsearch index: 0 names, 0 values",
  );
});

it("matches for a person", () => {
  expect(
    renderMatches({
      names: [
        { table: "shop", column: null, score: 2 },
        { table: "shop", column: "city", score: 1.234 },
      ],
      values: [{ table: "shop", column: "city", value: "Os\nlo", score: 1 }],
    }),
  ).toBe('  2.00  table shop\n  1.23  column shop.city\n  1.00  shop.city = "Os\\nlo"');
  expect(renderMatches({ names: [], values: [] })).toBe("  nothing matches");
});
