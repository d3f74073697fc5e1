import { oneLineText, shortenText } from "../synth/one-line-text.ts";

/** How text stands out on a terminal; each function leaves its text as it is where nothing does. */
export interface TextStyle {
  dim(text: string): string;
  bold(text: string): string;
}

/** For files and pipes. */
export const PLAIN_STYLE: TextStyle = { dim: (text) => text, bold: (text) => text };

/** For terminals. */
export const TERMINAL_STYLE: TextStyle = {
  dim: (text) => `\u001B[2m${text}\u001B[22m`,
  bold: (text) => `\u001B[1m${text}\u001B[22m`,
};

/** The style for a stream: `NO_COLOR` that is set and a `TERM` of `dumb` turn it off. */
export function styleFor(stream: { readonly isTTY?: boolean }, environment: NodeJS.ProcessEnv): TextStyle {
  const isOff = (environment["NO_COLOR"] ?? "") !== "" || environment["TERM"] === "dumb";
  return stream.isTTY === true && !isOff ? TERMINAL_STYLE : PLAIN_STYLE;
}

/** How much of a text is shown. */
export interface TextBounds {
  readonly maxLines: number;
  readonly maxCharacters: number;
}

/**
 * The lines of a text that others wrote, without what can move a cursor, hide or reorder text: such characters
 * become `\uXXXX`. What is over the bounds is counted in a last line.
 */
export function safeLines(text: string, bounds: TextBounds | null): string[] {
  const lines = text.split(/\r?\n/);
  if (bounds === null) return lines.map(oneLineText);
  const shown: string[] = [];
  let left = bounds.maxCharacters;
  for (const line of lines.slice(0, bounds.maxLines)) {
    if (left <= 0) break;
    const part = shortenText(line, left);
    shown.push(oneLineText(part));
    left -= line.length;
  }
  const isCut = shown.length < lines.length || left < 0;
  return isCut ? [...shown, `… ${text.length} characters in ${lines.length} lines`] : shown;
}

/** A JSON document whose strings cannot move a cursor, hide or reorder text; it parses to the same value. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/[^\P{Cc}\n]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, escapeUnits);
}

function escapeUnits(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`,
  ).join("");
}
