import type { ColumnProfile, DatabaseProfile, InferredForeignKey } from "../core/database-profile.ts";
import type { Json } from "../core/key.ts";
import { jsonText } from "./json-text.ts";
import { oneLineText, shortenText } from "./one-line-text.ts";
import type { ProfiledColumn, ProfiledTable } from "./profiled-schema.ts";
import { isSameName } from "./schema-lookup.ts";
import { takeFitting } from "./take-fitting.ts";

/** How much of a profile is shown. */
export interface ProfileLimits {
  readonly maxSamples: number;
  /** Of a name, a type or a sample; a longer one ends in `…`. */
  readonly maxCellCharacters: number;
  readonly maxDescriptionCharacters: number;
  /** Of the text, all in all. What does not fit is counted: columns at the end, then tables, then keys. */
  readonly maxCharacters: number;
}

type JsonObject = Readonly<Record<string, Json>>;

/** What a table of the text may take beside its own members: the counts, brackets and commas. */
const FRAME_CHARACTERS = 60;

/**
 * What a profile says of tables, as JSON on one line:
 * `{"tables":[{"table","description","rows","columns":[{"column","type","description","stored_as","distinct",
 * "null_ratio","samples"}]}],"inferred_foreign_keys":[{"table","column","referenced_table",
 * "referenced_column","contained"}]}`. An empty description is left out; `columns_not_shown`,
 * `tables_not_shown` and `keys_not_shown` count what did not fit. `stored_as` counts cells by the type they
 * really have. `null_ratio` has four decimals and is 0 or 1 only where no cell or every cell is NULL.
 */
export function profileObjectsText(
  tables: readonly ProfiledTable[],
  keys: readonly InferredForeignKey[],
  limits: ProfileLimits,
): string {
  const { taken: headers, charactersLeft } = takeFitting(
    tables.map((table) => ({ table, header: tableHeader(table, limits) })),
    Math.floor(limits.maxCharacters / 2),
    ({ header }) => jsonText(header).length + FRAME_CHARACTERS,
  );
  const keyObjects = keys.map((key) => keyObject(key, limits));
  const fittingKeys = takeFitting(keyObjects, Math.floor(limits.maxCharacters / 4), charactersOf);
  let left = charactersLeft + Math.floor(limits.maxCharacters / 4) + fittingKeys.charactersLeft;
  const shown = headers.map(({ table, header }) => {
    const columns = table.columns.map((column) => columnObject(column, table.rows, limits));
    const fitting = takeFitting(columns, left, charactersOf);
    left = fitting.taken.length < columns.length ? 0 : fitting.charactersLeft;
    return {
      ...header,
      columns: fitting.taken,
      ...notShown("columns", columns.length - fitting.taken.length),
    };
  });
  return jsonText({
    tables: shown,
    ...notShown("tables", tables.length - shown.length),
    inferred_foreign_keys: fittingKeys.taken,
    ...notShown("keys", keys.length - fittingKeys.taken.length),
  });
}

/** The inferred keys that have one of the tables' columns at an end. */
export function keysOf(
  { inferredForeignKeys }: DatabaseProfile,
  tables: readonly ProfiledTable[],
): readonly InferredForeignKey[] {
  const has = (tableName: string, columnName: string): boolean =>
    tables.some(
      ({ schema, columns }) =>
        isSameName(schema.name, tableName) &&
        columns.some((column) => isSameName(column.schema.name, columnName)),
    );
  return inferredForeignKeys.filter(
    ({ table, column, referencedTable, referencedColumn }) =>
      has(table, column) || has(referencedTable, referencedColumn),
  );
}

/** A share of cells with four decimals; 0 and 1 only where they are exact. */
export function shareOf(count: number, all: number): number {
  if (count === 0 || all === 0) return 0;
  if (count === all) return 1;
  return Math.min(0.9999, Math.max(0.0001, Math.round((count / all) * 10_000) / 10_000));
}

/** Counts of cells by the type they are stored as, NULL left out; types that do not occur are left out. */
export function storedAs({ stored }: ColumnProfile): readonly (readonly [string, number])[] {
  const { integer, real, text, blob } = stored;
  return Object.entries({ integer, real, text, blob }).filter(([, count]) => count > 0);
}

function tableHeader({ schema, description, rows }: ProfiledTable, limits: ProfileLimits): JsonObject {
  return {
    table: shortenText(schema.name, limits.maxCellCharacters),
    ...described(description, limits),
    rows,
  };
}

function columnObject(
  { schema, profile, description }: ProfiledColumn,
  rows: number | null,
  limits: ProfileLimits,
): JsonObject {
  const { maxCellCharacters } = limits;
  const known: JsonObject =
    profile === null
      ? {}
      : {
          stored_as: Object.fromEntries(storedAs(profile)),
          distinct: profile.distinct,
          null_ratio: shareOf(profile.stored.null, rows ?? 0),
          samples: profile.samples
            .slice(0, limits.maxSamples)
            .map((sample) => shortenText(sample, maxCellCharacters)),
        };
  return {
    column: shortenText(schema.name, maxCellCharacters),
    type: shortenText(schema.type, maxCellCharacters),
    ...described(description, limits),
    ...known,
  };
}

function keyObject(
  { table, column, referencedTable, referencedColumn, evidence }: InferredForeignKey,
  { maxCellCharacters }: ProfileLimits,
): JsonObject {
  return {
    table: shortenText(table, maxCellCharacters),
    column: shortenText(column, maxCellCharacters),
    referenced_table: shortenText(referencedTable, maxCellCharacters),
    referenced_column: shortenText(referencedColumn, maxCellCharacters),
    contained: evidence.contained,
  };
}

function charactersOf(object: JsonObject): number {
  return jsonText(object).length;
}

function described(description: string, { maxDescriptionCharacters }: ProfileLimits): JsonObject {
  if (description === "") return {};
  return { description: shortenText(oneLineText(description), maxDescriptionCharacters) };
}

function notShown(what: "tables" | "columns" | "keys", count: number): JsonObject {
  return count === 0 ? {} : { [`${what}_not_shown`]: count };
}
