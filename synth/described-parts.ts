import { type ColumnSchema, type Database, isReadable, type TableSchema } from "../core/database.ts";

/** Columns of a table that are asked for together. */
export interface DescribedPart {
  readonly table: TableSchema;
  readonly columns: readonly ColumnSchema[];
}

/**
 * What a model is asked to describe of a database, in the schema's order, one request each: columns that
 * {@link saysNothing} holds for, or all of them with `replaceExisting`; nothing of a database that cannot be read.
 */
export function describedParts(
  database: Database,
  options: { readonly columnsPerRequest: number; readonly replaceExisting: boolean },
): DescribedPart[] {
  if (!isReadable(database)) return [];
  const { columnsPerRequest, replaceExisting } = options;
  return database.schema.tables.flatMap((table) => {
    const columns = table.columns.filter((column) => replaceExisting || saysNothing(column));
    const parts: DescribedPart[] = [];
    for (let at = 0; at < columns.length; at += columnsPerRequest) {
      parts.push({ table, columns: columns.slice(at, at + columnsPerRequest) });
    }
    return parts;
  });
}

/** Whether a comment is missing or only repeats the name. */
export function saysNothing({ name, comment }: { readonly name: string; readonly comment: string }): boolean {
  return comment.trim() === "" || bareName(comment) === bareName(name);
}

function bareName(text: string): string {
  return text.toLowerCase().replace(/[\s_]/g, "");
}
