import { z } from "zod";
import type { ExecutionLimits } from "../../core/execution.ts";
import type { Json } from "../../core/key.ts";
import { defineTool, type ToolResult } from "../../core/tool.ts";
import { dataframeText } from "../dataframe-text.ts";
import { failureText } from "../execution-text.ts";
import { oneLineText, shortenText } from "../one-line-text.ts";
import { escapeProtocolTags } from "../protocol-tags.ts";

const Options = z.strictObject({
  /** Rows shown; the text says how many there are in all. */
  maxRows: z.int().positive().default(50),
  maxCellCharacters: z.int().positive().default(200),
  /** Of the whole table as text; not in the paper. */
  maxCharacters: z.int().positive().default(20_000),
  /** CPU time of one statement, milliseconds. */
  cpuMs: z.int().positive().default(30_000),
  /** Rows and bytes that a statement may yield before it is stopped. */
  maxResultRows: z.int().positive().default(1_000_000),
  maxResultBytes: z
    .int()
    .positive()
    .default(256 * 1024 * 1024),
});

/**
 * Runs one reading statement (the PRAGMAs and tables that describe a schema are allowed too) and gives its
 * first rows as a plain-text table with column names, see {@link dataframeText}; a statement that fails
 * gives one line that says why. @paper SQL-Trail
 */
export default defineTool({
  id: "execute-sql-dataframe",
  version: 1,
  schema: {
    name: "sql",
    description:
      "Runs one SQL statement on the SQLite database and returns the first rows as a table with column names. " +
      "Only statements that read are accepted: queries, sqlite_master, and PRAGMAs such as table_info(name).",
    parameters: {
      type: "object",
      properties: { sql: { type: "string", description: "The statement to run." } },
      required: ["sql"],
      additionalProperties: false,
    },
  },
  options: Options,
  async run(callArguments, options, { database, sql: runner }) {
    const { sql } = callArguments;
    const extra = Object.keys(callArguments).find((name) => name !== "sql");
    if (extra !== undefined) return wrongCall(`it has the argument ${quoted(extra)}, expected sql alone`);
    if (typeof sql !== "string") return wrongCall(`its argument sql is ${quoted(sql)}, expected a text`);
    if (sql.trim() === "") return wrongCall("its argument sql is empty, expected a statement");
    const limits: ExecutionLimits = {
      cpuMs: options.cpuMs,
      maxRows: options.maxResultRows,
      maxBytes: options.maxResultBytes,
    };
    const reply = await runner.query({
      database,
      sql,
      mode: "explore",
      limits,
      maxShownRows: options.maxRows,
      maxCellCharacters: options.maxCellCharacters,
    });
    const { execution } = reply;
    const ok = execution.status === "ok" || execution.status === "empty";
    return { text: ok ? dataframeText(reply, options) : failureText(execution, limits), ok, execution };
  },
});

function wrongCall(problem: string): ToolResult {
  return { text: escapeProtocolTags(`Wrong call: ${problem}.`), ok: false, execution: null };
}

function quoted(value: Json | undefined): string {
  return value === undefined ? "missing" : shortenText(oneLineText(JSON.stringify(value)), 80);
}
