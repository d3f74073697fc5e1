import type { Database, DatabaseSchema } from "./database.ts";

/** What to read of one database file. */
export interface InspectRequest {
  readonly databaseId: string;
  /** `null` when no file was found. */
  readonly path: string | null;
  /** The dataset's own description: gives comments, and stands in when there is no file. */
  readonly described: DatabaseSchema | null;
  /** Example values per column, 0 for none. */
  readonly valuesPerColumn: number;
}

/** The port that opens a database file, in a process of its own, and says what it holds. Never throws for what a file does. */
export interface DatabaseInspector {
  inspect(request: InspectRequest): Promise<Database>;
}
