import type { Database } from "./database.ts";

/** Writes a database's schema as the text that a model sees. A pure function of the database row. */
export interface SchemaDialect {
  readonly kind: "schema-dialect";
  readonly id: string;
  readonly version: number;
  render(database: Database): string;
}

/** Types a schema dialect plug; the file's stem is its id. */
export function defineSchemaDialect(dialect: Omit<SchemaDialect, "kind">): SchemaDialect {
  return { kind: "schema-dialect", ...dialect };
}
