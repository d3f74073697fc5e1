import type { DatabaseProfile, LeftOut } from "../core/database-profile.ts";
import { isSameName, type SearchScope } from "./schema-lookup.ts";

/**
 * The columns within the scope of a search that have values which its index lacks. Those that hold no text
 * count only where the search is narrowed to a column: no one expects to find them otherwise.
 */
export function unsearchedColumns({ index }: DatabaseProfile, { table, column }: SearchScope): LeftOut[] {
  return index.leftOut.filter(
    (left) =>
      (table === null || isSameName(left.table, table)) &&
      (column === null ? left.reason !== "not_text" : isSameName(left.column, column)),
  );
}
