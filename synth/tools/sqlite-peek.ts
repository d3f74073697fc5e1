import { z } from "zod";
import { defineTool } from "../../core/tool.ts";
import { columnProfileText } from "../column-profile-text.ts";
import { failedCall, wrongCall } from "../failed-call.ts";
import { knownProfile, profiledTable } from "../profiled-schema.ts";
import { findColumn, findTable } from "../schema-lookup.ts";
import { readArguments } from "../tool-arguments.ts";
import { SQLITE_PEEK } from "../tool-descriptions.ts";

const Options = z.strictObject({
  maxSamples: z.int().nonnegative().default(5),
  maxCellCharacters: z.int().positive().default(150),
  maxDescriptionCharacters: z.int().positive().default(600),
});

/**
 * The profile of a column in lines, see {@link columnProfileText}. Only that the tool profiles a column is
 * published. @paper ReToolSQL
 */
export default defineTool({
  id: SQLITE_PEEK.id,
  version: 1,
  needsProfile: true,
  schema: SQLITE_PEEK.schema,
  options: Options,
  async run(callArguments, options, context) {
    const call = readArguments(callArguments, SQLITE_PEEK.shapes);
    if (!call.ok) return failedCall(wrongCall(call.problem));
    const profile = knownProfile(context);
    if (!profile.ok) return failedCall(profile.problem);
    const { database } = context;
    const table = findTable(database.schema, call.value.table);
    if (!table.ok) return failedCall(wrongCall(table.problem));
    const column = findColumn(table.value, "column", call.value.column);
    if (!column.ok) return failedCall(wrongCall(column.problem));
    const profiled = profiledTable(table.value, profile.value);
    const found = profiled.columns.find(({ schema }) => schema === column.value);
    if (found === undefined || found.profile === null || profiled.rows === null) {
      return failedCall("The table could not be read: nothing is known of its cells.");
    }
    const keys = {
      declared: database.schema.foreignKeys,
      inferred: profile.value.inferredForeignKeys,
    };
    const known = { ...found, profile: found.profile, table: table.value.name, rows: profiled.rows, keys };
    return { text: columnProfileText(known, options), ok: true, execution: null };
  },
});
