import { z } from "zod";
import type { QueryReply } from "../core/sql-runner.ts";
import type { ToolContext } from "../core/tool.ts";
import { failureText } from "./execution-text.ts";

/** Limits of a statement that an agent sends, as options of its tool. */
export const STATEMENT_LIMITS = {
  /** CPU time of one statement, milliseconds. */
  cpuMs: z.int().positive().default(30_000),
  /** Rows and bytes that a statement may yield before it is stopped. */
  maxResultRows: z.int().positive().default(1_000_000),
  maxResultBytes: z
    .int()
    .positive()
    .default(256 * 1024 * 1024),
} as const;

/** A statement with its limits. */
export interface Statement {
  readonly sql: string;
  readonly cpuMs: number;
  readonly maxResultRows: number;
  readonly maxResultBytes: number;
  /** Rows and characters of a cell to bring back. */
  readonly maxRows: number;
  readonly maxCellCharacters: number;
}

/**
 * Runs one reading statement; the PRAGMAs and tables that describe a schema are allowed too. `failure` is the
 * line that says why it gave nothing to show, `null` where it ran.
 */
export async function runStatement(
  { database, sql: runner }: ToolContext,
  { sql, cpuMs, maxResultRows, maxResultBytes, maxRows, maxCellCharacters }: Statement,
): Promise<{ readonly reply: QueryReply; readonly failure: string | null }> {
  const limits = { cpuMs, maxRows: maxResultRows, maxBytes: maxResultBytes };
  const reply = await runner.query({
    database,
    sql,
    mode: "explore",
    limits,
    maxShownRows: maxRows,
    maxCellCharacters,
  });
  const { status } = reply.execution;
  return {
    reply,
    failure: status === "ok" || status === "empty" ? null : failureText(reply.execution, limits),
  };
}
