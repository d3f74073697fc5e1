import type { DatabaseSchema } from "../../core/database.ts";

const column = (name: string) => ({ name, type: "", comment: "", primaryKey: 0 });
const table = (name: string, columns: readonly string[]) => ({
  name,
  comment: "",
  columns: columns.map(column),
});

/** Ferries, what they cross, and who sails; `name` is in two tables, as is `ferry_id`. */
export const FERRY_SCHEMA: DatabaseSchema = {
  databaseId: "ferries",
  tables: [
    table("Ferry", ["id", "Name", "built", "home port"]),
    table("crossing", ["ferry_id", "day", "fare", "from_port"]),
    table("Captain", ["captain_id", "name", "ferry_id", "born"]),
  ],
  foreignKeys: [{ table: "crossing", column: "ferry_id", referencedTable: "Ferry", referencedColumn: "id" }],
};
