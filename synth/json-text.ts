import type { Json } from "../core/key.ts";
import { oneLineText } from "./one-line-text.ts";
import { escapeProtocolTags } from "./protocol-tags.ts";

/**
 * A value as JSON on one line that can stand between the tags of a protocol: what cannot be seen, and the
 * `<` of anything that looks like a tag, are JSON's own `\uXXXX`, so that it parses to the same value.
 */
export function jsonText(value: Json): string {
  return safeJson(JSON.stringify(value));
}

/** {@link jsonText} of what is JSON already, without white space between its parts. */
export function safeJson(json: string): string {
  return escapeProtocolTags(oneLineText(json));
}
