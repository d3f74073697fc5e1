import { z } from "zod";
import type { QueryReply } from "../../core/sql-runner.ts";
import { defineTool } from "../../core/tool.ts";
import { dataframeText } from "../dataframe-text.ts";
import { failedCall, wrongCall } from "../failed-call.ts";
import { runStatement, STATEMENT_LIMITS } from "../run-statement.ts";
import { readArguments } from "../tool-arguments.ts";
import { EXEC_SQL } from "../tool-descriptions.ts";

const Options = z.strictObject({
  /** Rows shown; the text says how many there are in all. */
  maxRows: z.int().positive().default(10),
  maxCellCharacters: z.int().positive().default(100),
  /** Of the whole table as text. */
  maxCharacters: z.int().positive().default(2_000),
  ...STATEMENT_LIMITS,
});

/**
 * Runs one reading statement. The first line is `Outcome: result`, `Outcome: null result` (no rows, or
 * nothing but NULL) or `Outcome: error`, the three cases that a verification of the execution tells apart;
 * then the first rows as in {@link dataframeText}, or a line that says why there are none.
 *
 * The texts of the paper's tool are not published with it: the outcome, the limits and the form of the rows
 * are ours. Unlike in the authors' code it is rows and characters that are limited, not the items of a list,
 * the time limit holds, and what the agent should do next is for the scaffold to say. @paper MTSQL-R1, EXECUTE
 */
export default defineTool({
  id: EXEC_SQL.id,
  version: 1,
  schema: EXEC_SQL.schema,
  options: Options,
  async run(callArguments, options, context) {
    const call = readArguments(callArguments, EXEC_SQL.shapes);
    if (!call.ok) return failedCall(wrongCall(call.problem));
    const { reply, failure } = await runStatement(context, { ...options, sql: call.value.code });
    const { execution } = reply;
    if (failure !== null) return { text: `Outcome: error\n${failure}`, ok: false, execution };
    const outcome = isNullResult(reply) ? "null result" : "result";
    return { text: `Outcome: ${outcome}\n${dataframeText(reply, options)}`, ok: true, execution };
  },
});

/** Whether there is no value among the rows; more rows than are shown count as a result. */
function isNullResult({ execution, rows }: QueryReply): boolean {
  return execution.rows <= rows.length && rows.every((row) => row.every((cell) => cell === null));
}
