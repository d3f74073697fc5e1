import { z } from "zod";
import type { DatabaseProfile } from "../../core/database-profile.ts";
import { defineTool, type ToolContext } from "../../core/tool.ts";
import { failedJsonCall, wrongCall } from "../failed-call.ts";
import { keysOf, profileObjectsText } from "../profile-objects.ts";
import { knownProfile, type ProfiledTable, profiledTable, profiledTables } from "../profiled-schema.ts";
import { findColumn, findTable, isSameName } from "../schema-lookup.ts";
import { type ArgumentValues, type Checked, readArguments } from "../tool-arguments.ts";
import { DATABASE_PROFILER } from "../tool-descriptions.ts";

const Options = z.strictObject({
  maxSamples: z.int().nonnegative().default(5),
  maxCellCharacters: z.int().positive().default(100),
  maxDescriptionCharacters: z.int().positive().default(400),
  maxCharacters: z.int().positive().default(20_000),
});

/**
 * What was found out beforehand of a table, some of its columns, or the whole database:
 * see {@link profileObjectsText}. A failed call gives `{"error":"…"}`. The paper gives no signature and lets
 * one call name several tables; the bounds are ours, and a description is the dataset's where no model wrote
 * one. @paper DualSQL, appendix A
 */
export default defineTool({
  id: DATABASE_PROFILER.id,
  version: 1,
  needsProfile: true,
  schema: DATABASE_PROFILER.schema,
  options: Options,
  async run(callArguments, options, context) {
    const call = readArguments(callArguments, DATABASE_PROFILER.shapes);
    if (!call.ok) return failedJsonCall(wrongCall(call.problem));
    const profile = knownProfile(context);
    if (!profile.ok) return failedJsonCall(profile.problem);
    const tables = namedTables(call.value, context, profile.value);
    if (!tables.ok) return failedJsonCall(wrongCall(tables.problem));
    const text = profileObjectsText(tables.value, keysOf(profile.value, tables.value), options);
    return { text, ok: true, execution: null };
  },
});

function namedTables(
  { table, columns }: ArgumentValues<typeof DATABASE_PROFILER.shapes>,
  { database }: ToolContext,
  profile: DatabaseProfile,
): Checked<readonly ProfiledTable[]> {
  if (table === null) {
    if (columns === null) return { ok: true, value: profiledTables(database, profile) };
    return { ok: false, problem: "it has the argument columns alone, expected their table too" };
  }
  const found = findTable(database.schema, table);
  if (!found.ok) return found;
  const profiled = profiledTable(found.value, profile);
  if (columns === null) return { ok: true, value: [profiled] };
  for (const name of columns) {
    const column = findColumn(found.value, "columns", name);
    if (!column.ok) return column;
  }
  const isNamed = (column: string): boolean => columns.some((name) => isSameName(name, column));
  const shown = profiled.columns.filter(({ schema }) => isNamed(schema.name));
  return { ok: true, value: [{ ...profiled, columns: shown }] };
}
