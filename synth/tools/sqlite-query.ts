import { z } from "zod";
import { defineTool } from "../../core/tool.ts";
import { dataframeText } from "../dataframe-text.ts";
import { failedCall, wrongCall } from "../failed-call.ts";
import { runStatement, STATEMENT_LIMITS } from "../run-statement.ts";
import { readArguments } from "../tool-arguments.ts";
import { SQLITE_QUERY } from "../tool-descriptions.ts";

const Options = z.strictObject({
  /** Rows shown; the text says how many there are in all. */
  maxRows: z.int().positive().default(20),
  maxCellCharacters: z.int().positive().default(150),
  /** Of the whole table as text. */
  maxCharacters: z.int().positive().default(8_000),
  ...STATEMENT_LIMITS,
});

/**
 * Runs one reading statement and gives its first rows as a plain-text table, see {@link dataframeText}; a
 * statement that fails gives one line that says why. The 30 seconds are the paper's, as CPU time; the form of
 * the result and its other limits are not published. @paper ReToolSQL
 */
export default defineTool({
  id: SQLITE_QUERY.id,
  version: 1,
  schema: SQLITE_QUERY.schema,
  options: Options,
  async run(callArguments, options, context) {
    const call = readArguments(callArguments, SQLITE_QUERY.shapes);
    if (!call.ok) return failedCall(wrongCall(call.problem));
    const { reply, failure } = await runStatement(context, { ...options, sql: call.value.sql });
    const { execution } = reply;
    return { text: failure ?? dataframeText(reply, options), ok: failure === null, execution };
  },
});
