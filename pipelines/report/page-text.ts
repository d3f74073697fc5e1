import { safeLines } from "../terminal-text.ts";
import type { NumberCell } from "./report-sections.ts";
import { showNumber } from "./shown-number.ts";

const NAMED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Text that others wrote, for an element or an attribute of a page: no markup in it counts, and what cannot be seen or
 * reorders text becomes `\uXXXX`. Lines stay lines.
 */
export function pageText(text: string): string {
  return safeLines(text, null)
    .join("\n")
    .replaceAll(/[&<>"']/g, (character) => NAMED[character] ?? "");
}

/** A number of the document, with its exact value and where it stands in report.json. */
export function numberHtml({ at, value, form }: NumberCell): string {
  const shown = showNumber(value, form);
  if (value === null) return shown;
  return `<span data-at="${pageText(at)}" data-value="${value}">${shown}</span>`;
}

/** Text in Markdown: what is markup there, or HTML, is escaped, and it stays on its line. */
export function markdownText(text: string): string {
  return safeLines(text, null)
    .join(" ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(/[\\`*_{}[\]|#~]/g, (character) => `\\${character}`);
}

/** A fenced block that its own text cannot end. */
export function markdownBlock(text: string, language: string): string {
  const lines = safeLines(text, null);
  const runs = lines.flatMap((line) => (line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(runs.reduce((longest, run) => Math.max(longest, run), 2) + 1);
  return [`${fence}${language}`, ...lines, fence].join("\n");
}
