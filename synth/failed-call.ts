import type { ToolResult } from "../core/tool.ts";
import { jsonText } from "./json-text.ts";
import { oneLineText } from "./one-line-text.ts";
import { escapeProtocolTags } from "./protocol-tags.ts";

/** A call that gave nothing, for a reason in one line. */
export function failedCall(reason: string): ToolResult {
  return { text: escapeProtocolTags(oneLineText(reason)), ok: false, execution: null };
}

/** {@link failedCall} of a tool that answers in JSON: `{"error":"…"}`. */
export function failedJsonCall(reason: string): ToolResult {
  return { text: jsonText({ error: reason }), ok: false, execution: null };
}

/** The reason of a call whose arguments are wrong: `problem` is half a sentence. */
export function wrongCall(problem: string): string {
  return `Wrong call: ${problem}.`;
}
