import type { Json } from "../core/key.ts";
import { readJson } from "./lenient-json.ts";
import { oneLineText, shortenText } from "./one-line-text.ts";
import { isSameName } from "./schema-lookup.ts";

/** What a model says of a table; a text is empty where it has nothing to say. */
export interface TableDescription {
  /** `null` where it says nothing of the table as a whole. */
  readonly table: string | null;
  /** By the names asked for; those that it leaves out are not there. */
  readonly columns: ReadonlyMap<string, string>;
}

/** Of a description, with the `…` of one that was cut. */
const MAX_CHARACTERS = 200;
/** Places of a reply where an object may begin that are tried. */
const MOST_STARTS = 20;
const END = /\s*(?:```|$)/;

/**
 * The first JSON object of a reply, after its thought, that describes one of the columns `names` or more;
 * `null` where there is none. Slips as in `readJson` are repaired, and names may differ in ASCII case.
 */
export function readTableDescription(reply: string, names: readonly string[]): TableDescription | null {
  const text = reply.slice(reply.lastIndexOf("</think>") + 1);
  let at = 0;
  for (let tried = 0; tried < MOST_STARTS; tried += 1) {
    const start = text.indexOf("{", at);
    if (start === -1) return null;
    const reading = readJson(text, start, END);
    const described = reading.ok ? descriptionOf(reading.value, names) : null;
    if (described !== null) return described;
    at = start + 1;
  }
  return null;
}

function descriptionOf(value: Json, names: readonly string[]): TableDescription | null {
  if (!isObject(value) || !isObject(value["columns"])) return null;
  const given = Object.entries(value["columns"]);
  const columns = new Map<string, string>();
  for (const name of names) {
    const found = given.find(([key]) => key === name) ?? given.find(([key]) => isSameName(key, name));
    if (typeof found?.[1] === "string") columns.set(name, descriptionText(found[1]));
  }
  if (columns.size === 0) return null;
  const { table } = value;
  return { table: typeof table === "string" ? descriptionText(table) : null, columns };
}

function isObject(value: Json | undefined): value is { readonly [name: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A description on one line, without white space around it, of at most 200 characters. */
export function descriptionText(text: string): string {
  return shortenText(oneLineText(text.replace(/\s+/g, " ").trim()), MAX_CHARACTERS - 1);
}
