import { z } from "zod";
import type { DatabaseProfile, LeftOut } from "../../core/database-profile.ts";
import type { NameMatch, ValueMatch } from "../../core/database-profiler.ts";
import type { Json } from "../../core/key.ts";
import { defineTool, type ToolContext } from "../../core/tool.ts";
import { failedJsonCall, wrongCall } from "../failed-call.ts";
import { jsonText } from "../json-text.ts";
import { shortenText } from "../one-line-text.ts";
import { knownProfile, profiledTables } from "../profiled-schema.ts";
import { findScope, isSameName } from "../schema-lookup.ts";
import { searchDatabase } from "../search-database.ts";
import { takeFitting } from "../take-fitting.ts";
import { readArguments } from "../tool-arguments.ts";
import { FULL_TEXT_SEARCH } from "../tool-descriptions.ts";
import { unsearchedColumns } from "../unsearched-columns.ts";

const Options = z.strictObject({
  /** `trigram` finds parts of words and near spellings, `words` whole words; `both` gives theirs in turn. */
  matcher: z.enum(["both", "trigram", "words"]).default("both"),
  /** Tables and columns to give. */
  maxNames: z.int().nonnegative().default(20),
  maxValues: z.int().nonnegative().default(50),
  maxValuesPerColumn: z.int().positive().default(5),
  /** Of a name or a value; a longer one ends in `…`. */
  maxCellCharacters: z.int().positive().default(150),
  maxDescriptionCharacters: z.int().positive().default(200),
  /** Of the text, all in all. */
  maxCharacters: z.int().positive().default(12_000),
});
type Options = z.infer<typeof Options>;

type JsonObject = Readonly<Record<string, Json>>;

/**
 * Tables and columns whose names match, with their descriptions, and up to five distinct values a column, as
 * JSON on one line, whole words and near spellings in turn, the best first: `{"schema":[{"table","column","description"}],
 * "values":[{"table","column","values":[…]}]}`. `not_searched` lists columns with values that the index
 * lacks, if any: what is not found may stand there. A failed call gives `{"error":"…"}`. The arguments that
 * narrow a search, `not_searched` and the bounds are not in the paper. @paper DualSQL, appendix A
 */
export default defineTool({
  id: FULL_TEXT_SEARCH.id,
  version: 1,
  needsProfile: true,
  schema: FULL_TEXT_SEARCH.schema,
  options: Options,
  async run(callArguments, options, context) {
    const call = readArguments(callArguments, FULL_TEXT_SEARCH.shapes);
    if (!call.ok) return failedJsonCall(wrongCall(call.problem));
    const profile = knownProfile(context);
    if (!profile.ok) return failedJsonCall(profile.problem);
    const scope = findScope(context.database.schema, call.value);
    if (!scope.ok) return failedJsonCall(wrongCall(scope.problem));
    const { names, values } = await searchDatabase(context, {
      text: call.value.query,
      matcher: options.matcher,
      scope: scope.value,
      maxNames: options.maxNames,
      maxValues: options.maxValues,
      maxValuesPerColumn: options.maxValuesPerColumn,
    });
    const part = Math.floor(options.maxCharacters / 3);
    const fitting = (items: readonly JsonObject[]): readonly JsonObject[] =>
      takeFitting(items, part, (item) => jsonText(item).length).taken;
    const missing = fitting(
      unsearchedColumns(profile.value, scope.value).map((left) => leftOut(left, options)),
    );
    const text = jsonText({
      schema: fitting(matchedNames(names, context, profile.value, options)),
      values: fitting(matchedValues(values, options)),
      ...(missing.length === 0 ? {} : { not_searched: missing }),
    });
    return { text, ok: true, execution: null };
  },
});

function matchedNames(
  names: readonly NameMatch[],
  { database }: ToolContext,
  profile: DatabaseProfile,
  { maxNames, maxCellCharacters, maxDescriptionCharacters }: Options,
): JsonObject[] {
  const tables = profiledTables(database, profile);
  return names.slice(0, maxNames).map(({ table, column }) => {
    const found = tables.find(({ schema }) => isSameName(schema.name, table));
    const described =
      column === null ? found : found?.columns.find(({ schema }) => isSameName(schema.name, column));
    const description = shortenText(described?.description ?? "", maxDescriptionCharacters);
    return {
      table: shortenText(table, maxCellCharacters),
      ...(column === null ? {} : { column: shortenText(column, maxCellCharacters) }),
      ...(description === "" ? {} : { description }),
    };
  });
}

/** Values by column: the columns in the order of their best values. */
function matchedValues(matches: readonly ValueMatch[], options: Options): JsonObject[] {
  const { maxValues, maxValuesPerColumn, maxCellCharacters } = options;
  const columns = new Map<string, { table: string; column: string; values: Set<string> }>();
  for (const { table, column, value } of matches.slice(0, maxValues)) {
    const place = JSON.stringify([table, column]);
    const group = columns.get(place) ?? { table, column, values: new Set<string>() };
    columns.set(place, group);
    if (group.values.size < maxValuesPerColumn) group.values.add(shortenText(value, maxCellCharacters));
  }
  return Array.from(columns.values(), ({ table, column, values }) => ({
    table: shortenText(table, maxCellCharacters),
    column: shortenText(column, maxCellCharacters),
    values: [...values],
  }));
}

function leftOut({ table, column, reason, values }: LeftOut, { maxCellCharacters }: Options): JsonObject {
  return {
    table: shortenText(table, maxCellCharacters),
    column: shortenText(column, maxCellCharacters),
    reason,
    missing_values: values,
  };
}
