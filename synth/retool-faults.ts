import type { Message } from "../core/trajectory.ts";
import type { ToolResult } from "../core/tool.ts";

/** What the result of a query shows that calls for repair; `none` for a sound one. */
export type QueryFault = "error" | "empty" | "suspicious_value" | "none";

const LINES: Readonly<Record<QueryFault, string>> = {
  error: "[fault: an error]",
  empty: "[fault: no rows]",
  suspicious_value: "[fault: a suspicious value]",
  none: "[no fault]",
};
const MARK = /\n\[((?:no )?fault[^\]\n]*)\]\n\[[^\]\n]*\](?:\n<\/tool_response>)?$/;
const ZERO = /^-?0(?:\.0+)?$/;

/**
 * The fault of a query's result, `null` where no statement was run. Suspicious are a NULL among the rows shown
 * and rows of nothing but zeros: the paper says that a fault is detected and not how.
 * @paper ReToolSQL, peek and search only repair detected faults
 */
export function queryFault({ ok, text, execution }: ToolResult): QueryFault | null {
  if (!ok) return execution === null ? null : "error";
  if (execution?.rows === 0) return "empty";
  const rows = text
    .split("\n")
    .slice(1, -1)
    .map((line) => line.split(" | "));
  const cells = rows.flat();
  const isSuspicious = cells.includes("NULL") || (cells.length > 0 && cells.every((cell) => ZERO.test(cell)));
  return isSuspicious ? "suspicious_value" : "none";
}

/** The line that tells an agent of a fault. */
export function faultLine(fault: QueryFault): string {
  return LINES[fault];
}

/** The fault that an observation tells of in its {@link faultLine}, before its last line; `null` without one. */
export function faultTold({ origin, rawText }: Message): QueryFault | null {
  if (origin !== "environment") return null;
  const told = MARK.exec(rawText)?.[1];
  if (told === undefined) return null;
  const found = Object.entries(LINES).find(([, line]) => line === `[${told}]`);
  return (found?.[0] as QueryFault | undefined) ?? null;
}
