import { z } from "zod";
import { defineTool } from "../../core/tool.ts";
import { selectsFromSchemaTable } from "../../sql/statement-check.ts";
import { failedJsonCall, wrongCall } from "../failed-call.ts";
import { rowObjectsText } from "../row-objects.ts";
import { runStatement, STATEMENT_LIMITS } from "../run-statement.ts";
import { readArguments } from "../tool-arguments.ts";
import { EXECUTE_SQL } from "../tool-descriptions.ts";

const Options = z.strictObject({
  /** Rows shown; the text says how many there are in all. */
  maxRows: z.int().positive().default(10),
  maxCellCharacters: z.int().positive().default(150),
  /** The same two for a statement that asks for the schema: the paper shows all of it. */
  maxSchemaRows: z.int().positive().default(2_000),
  maxSchemaCellCharacters: z.int().positive().default(20_000),
  /** Of all rows as text; not in the paper. */
  maxCharacters: z.int().positive().default(40_000),
  ...STATEMENT_LIMITS,
});

/**
 * Runs one reading statement and gives its first rows as JSON objects, see {@link rowObjectsText}; a
 * statement that looks at the schema (`sqlite_master`, `sqlite_schema`, a PRAGMA) is shown whole. One that
 * fails, and a wrong call, give `{"error":"…"}`. The count of rows, the unique names and the bound of the
 * whole text are not in the paper. @paper DualSQL, appendix A
 */
export default defineTool({
  id: EXECUTE_SQL.id,
  version: 1,
  schema: EXECUTE_SQL.schema,
  options: Options,
  async run(callArguments, options, context) {
    const call = readArguments(callArguments, EXECUTE_SQL.shapes);
    if (!call.ok) return failedJsonCall(wrongCall(call.problem));
    const { sql } = call.value;
    const shown = selectsFromSchemaTable(sql)
      ? { maxRows: options.maxSchemaRows, maxCellCharacters: options.maxSchemaCellCharacters }
      : { maxRows: options.maxRows, maxCellCharacters: options.maxCellCharacters };
    const { reply, failure } = await runStatement(context, { ...options, ...shown, sql });
    const { execution } = reply;
    if (failure !== null) return { ...failedJsonCall(failure), execution };
    const text = rowObjectsText(reply, { ...shown, maxCharacters: options.maxCharacters });
    return { text, ok: true, execution };
  },
});
