import { z } from "zod";
import type { LeftOut } from "../../core/database-profile.ts";
import { defineTool } from "../../core/tool.ts";
import { failedCall, wrongCall } from "../failed-call.ts";
import { literalText } from "../literal-text.ts";
import { oneLineText, shortenText } from "../one-line-text.ts";
import { knownProfile } from "../profiled-schema.ts";
import { escapeProtocolTags } from "../protocol-tags.ts";
import { findScope } from "../schema-lookup.ts";
import { searchDatabase } from "../search-database.ts";
import { takeFitting } from "../take-fitting.ts";
import { readArguments } from "../tool-arguments.ts";
import { BM25_SEARCH_SQLITE } from "../tool-descriptions.ts";
import { unsearchedColumns } from "../unsearched-columns.ts";

const Options = z.strictObject({
  /** `words` finds whole words, `trigram` parts of words and near spellings too. */
  matcher: z.enum(["trigram", "words"]).default("words"),
  maxValues: z.int().positive().default(20),
  maxValuesPerColumn: z.int().positive().default(10),
  maxCellCharacters: z.int().positive().default(150),
  /** Of the values together. */
  maxCharacters: z.int().positive().default(8_000),
});

const MAX_UNSEARCHED = 10;

/**
 * Stored text values by BM25, the best first: a line `boat.name = 'Tern'` each and a last one in brackets
 * that counts them. Then, in brackets, up to ten columns with values that the index lacks, if any: what is
 * not found may stand there. Only that it searches values by BM25 is published. @paper ReToolSQL
 */
export default defineTool({
  id: BM25_SEARCH_SQLITE.id,
  version: 1,
  needsProfile: true,
  schema: BM25_SEARCH_SQLITE.schema,
  options: Options,
  async run(callArguments, options, context) {
    const call = readArguments(callArguments, BM25_SEARCH_SQLITE.shapes);
    if (!call.ok) return failedCall(wrongCall(call.problem));
    const profile = knownProfile(context);
    if (!profile.ok) return failedCall(profile.problem);
    const scope = findScope(context.database.schema, call.value);
    if (!scope.ok) return failedCall(wrongCall(scope.problem));
    const { values } = await searchDatabase(context, {
      text: call.value.query,
      matcher: options.matcher,
      scope: scope.value,
      maxNames: 0,
      maxValues: options.maxValues,
      maxValuesPerColumn: options.maxValuesPerColumn,
    });
    const { maxCellCharacters } = options;
    const lines = values.slice(0, options.maxValues).map(({ table, column, value }) => {
      return `${placeText(table, column, maxCellCharacters)} = ${literalText(value, maxCellCharacters)}`;
    });
    const shown = takeFitting(lines, options.maxCharacters, ({ length }) => length).taken;
    const missing = unsearchedColumns(profile.value, scope.value);
    const text = [...shown, countLine(shown.length), ...unsearchedLines(missing, maxCellCharacters)].join(
      "\n",
    );
    return { text: escapeProtocolTags(text), ok: true, execution: null };
  },
});

function countLine(count: number): string {
  if (count === 0) return "[no value matches]";
  return count === 1 ? "[1 value]" : `[${count} values, the best first]`;
}

function unsearchedLines(missing: readonly LeftOut[], maxCharacters: number): string[] {
  if (missing.length === 0) return [];
  const shown = missing.slice(0, MAX_UNSEARCHED).map(({ table, column, reason }) => {
    return `${placeText(table, column, maxCharacters)} (${reason.replaceAll("_", " ")})`;
  });
  const more = missing.length > shown.length ? ` and ${missing.length - shown.length} more` : "";
  return [`[not searched, at least in part: ${shown.join(", ")}${more}]`];
}

function placeText(table: string, column: string, maxCharacters: number): string {
  const parts = [table, column].map((name) => oneLineText(shortenText(name, maxCharacters)));
  return parts.join(".");
}
