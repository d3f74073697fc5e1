import type { ColumnValues, Database } from "./database.ts";
import type { DatabaseProfile } from "./database-profile.ts";

/** What a dialect may show besides the database row. */
export interface SchemaExtras {
  /** `null` unless the dialect `needsProfile`. */
  readonly profile: DatabaseProfile | null;
  /** Values that the question seems to ask for, the best first: shown before example values. Often empty. */
  readonly retrieved: readonly ColumnValues[];
}

/** Nothing besides the database row. */
export const NO_EXTRAS: SchemaExtras = { profile: null, retrieved: [] };

/** Writes a database's schema as the text that a model sees. A pure function of the database row and the extras. */
export interface SchemaDialect {
  readonly kind: "schema-dialect";
  readonly id: string;
  readonly version: number;
  /** Whether it shows what only a profile says. */
  readonly needsProfile?: boolean;
  render(database: Database, extras?: SchemaExtras): string;
}

/** Types a schema dialect plug; the file's stem is its id. */
export function defineSchemaDialect(dialect: Omit<SchemaDialect, "kind">): SchemaDialect {
  return { kind: "schema-dialect", ...dialect };
}
