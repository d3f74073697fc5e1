import type { AuditedExample } from "../../core/audit.ts";
import type { QueryReply, ShownCell } from "../../core/sql-runner.ts";
import { oneLineText, shortenText } from "../../synth/one-line-text.ts";
import { safeLines, type TextStyle } from "../terminal-text.ts";
import { renderVotes } from "./render-audit.ts";

/** A statement with the rows that it gave. */
export interface ShownResult {
  readonly title: string;
  readonly sql: string;
  readonly reply: QueryReply;
}

/** Rows of a result, and characters of a cell, that are shown. */
const SHOWN_ROWS = 5;
const SHOWN_CELL = 40;
const SHOWN_TEXT = { maxLines: 30, maxCharacters: 4000 };

/** One example for a person: what is asked, the gold with some rows, how samples voted, and each finding with its evidence. */
export function renderExample(
  row: AuditedExample,
  evidence: string | null,
  results: readonly ShownResult[],
  style: TextStyle,
): string {
  const lines = [
    `${style.bold(`${row.dataset} ${row.split} ${row.sourceId}`)} (${row.databaseId}) ${style.dim(row.exampleId)}`,
    row.status === "audited"
      ? `score ${row.score.toFixed(2)}${row.flagged ? ", flagged" : ""}`
      : `not audited: ${row.status}`,
    "",
    ...indented("question", row.question),
    ...(evidence === null ? [] : indented("evidence", evidence)),
  ];
  for (const { title, sql, reply } of results)
    lines.push("", ...indented(title, sql), ...resultLines(reply, style));
  if (row.votes !== null) lines.push("", ...renderVotes(row.votes, style));
  for (const finding of row.findings) {
    const { check, kind, severity, confidence, message, suggestion } = finding;
    lines.push("", style.bold(`${check}/${kind}`) + `: ${severity}, confidence ${confidence.toFixed(2)}`);
    lines.push(`  ${oneLineText(message)}`);
    for (const [name, value] of Object.entries(finding.evidence)) {
      lines.push(style.dim(`  ${name}: ${oneLineText(shortenText(JSON.stringify(value), 300))}`));
    }
    if (suggestion !== null) lines.push(...indented(`  suggested ${suggestion.field}`, suggestion.after));
  }
  if (row.findings.length === 0 && row.status === "audited") lines.push("", "no check and no vote doubts it");
  return lines.join("\n");
}

function indented(name: string, text: string): string[] {
  const [first = "", ...rest] = safeLines(text, SHOWN_TEXT);
  return [`${name}: ${first}`, ...rest.map((line) => `  ${line}`)];
}

function resultLines({ execution, columnNames, rows }: QueryReply, style: TextStyle): string[] {
  const { status, message } = execution;
  if (status !== "ok") return [style.dim(`  ${status}${message === "" ? "" : `: ${oneLineText(message)}`}`)];
  const shown = rows.slice(0, SHOWN_ROWS).map((row) => `  ${row.map(cellText).join(" | ")}`);
  const left = execution.rows - shown.length;
  return [
    style.dim(`  ${columnNames.map((name) => oneLineText(shortenText(name, SHOWN_CELL))).join(" | ")}`),
    ...shown,
    ...(left > 0 ? [style.dim(`  … ${left} more rows`)] : []),
  ];
}

function cellText(cell: ShownCell): string {
  if (cell === null) return "NULL";
  if (typeof cell !== "object") return oneLineText(shortenText(String(cell), SHOWN_CELL));
  return oneLineText(shortenText(Object.values(cell).join(""), SHOWN_CELL));
}
