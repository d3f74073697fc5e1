import type { DatabaseSchema } from "../../core/database.ts";

const table = (name: string, ...columns: readonly [string, string][]) => ({
  name,
  comment: "",
  columns: columns.map(([column, type], place) => ({
    name: column,
    type,
    comment: "",
    primaryKey: place === 0 ? 1 : 0,
  })),
});

/** Boats and their crossings. */
export const GOLD_SCHEMA: DatabaseSchema = {
  databaseId: "harbour",
  tables: [
    table("Boat", ["boat_id", "INTEGER"], ["name", "TEXT"], ["seats", "INTEGER"], ["price", "REAL"]),
    table("Crossing", ["crossing_id", "INTEGER"], ["boat_id", "INTEGER"], ["day", "TEXT"]),
  ],
  foreignKeys: [
    { table: "Crossing", column: "boat_id", referencedTable: "Boat", referencedColumn: "boat_id" },
  ],
};
