import type { ColumnValues, Database } from "../core/database.ts";

/** Values to show of one column: those found for the question, the best first, and others that are stored. Often empty. */
export interface ColumnExamples {
  readonly retrieved: readonly string[];
  /** None that is retrieved too. */
  readonly stored: readonly string[];
}

const NONE: ColumnExamples = { retrieved: [], stored: [] };

/** Looks up the values of a column; names are compared without case, and no value is given twice. */
export function columnExamples(
  database: Database,
  retrieved: readonly ColumnValues[],
): (table: string, column: string) => ColumnExamples {
  const found = gathered(retrieved);
  const stored = gathered(database.values);
  return (table, column) => {
    const place = placeOf(table, column);
    const first = found.get(place);
    const others = stored.get(place);
    if (first === undefined && others === undefined) return NONE;
    return {
      retrieved: [...(first ?? [])],
      stored: [...(others ?? [])].filter((value) => first?.has(value) !== true),
    };
  };
}

function gathered(columns: readonly ColumnValues[]): ReadonlyMap<string, ReadonlySet<string>> {
  const places = new Map<string, Set<string>>();
  for (const { table, column, values } of columns) {
    const place = placeOf(table, column);
    const known = places.get(place) ?? new Set<string>();
    for (const value of values) known.add(value);
    places.set(place, known);
  }
  return places;
}

function placeOf(table: string, column: string): string {
  return JSON.stringify([table.toLowerCase(), column.toLowerCase()]);
}
