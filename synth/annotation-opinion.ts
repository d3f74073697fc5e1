import type { Json } from "../core/key.ts";
import { readJson } from "./lenient-json.ts";
import { oneLineText, shortenText } from "./one-line-text.ts";

/** What a model thinks of an annotation. */
export interface AnnotationOpinion {
  readonly verdict: "right" | "wrong" | "ambiguous";
  /** On one line, at most 300 characters. */
  readonly reason: string;
}

const MAX_REASON = 300;
const END = /\s*(?:```|$)/;
/** Places of a reply where an object may begin that are tried. */
const MOST_STARTS = 20;

/** The first JSON object of a reply, after its thought, that has a verdict; `null` where there is none. */
export function readOpinion(reply: string): AnnotationOpinion | null {
  const text = reply.slice(reply.lastIndexOf("</think>") + 1);
  let at = 0;
  for (let tried = 0; tried < MOST_STARTS; tried += 1) {
    const start = text.indexOf("{", at);
    if (start === -1) return null;
    const reading = readJson(text, start, END);
    const value = reading.ok ? reading.value : null;
    if (isObject(value)) {
      const { verdict, reason } = value;
      if (verdict === "right" || verdict === "wrong" || verdict === "ambiguous") {
        const said = typeof reason === "string" ? reason : "";
        return { verdict, reason: oneLineText(shortenText(said, MAX_REASON)) };
      }
    }
    at = start + 1;
  }
  return null;
}

function isObject(value: Json): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
