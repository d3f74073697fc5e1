import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { z } from "zod";
import { GradusError, messageOf } from "../core/errors.ts";
import { canonicalJson, type Json } from "../core/key.ts";

/** JSON as a ledger stores it: text, or deflated UTF-8 where the text is long. */
export type StoredJson = string | Buffer;

/** Where a stored value sits, for errors. */
export interface StoredPlace {
  readonly file: string;
  readonly sampleId: string;
  /** "the outcome", "the reply of turn 3". */
  readonly what: string;
}

/**
 * In UTF-16 code units. A third is left of a longer text at some 7 microseconds a kilobyte; below, pages
 * are cheaper than the wait.
 */
const DEFLATE_FROM = 16_384;

/** Stores JSON text. */
export function storeText(text: string): StoredJson {
  return text.length < DEFLATE_FROM ? text : deflateRawSync(text, { level: 1 });
}

/** The text of a stored value. Throws LEDGER_ROW_DAMAGED. */
export function storedText(stored: StoredJson, place: StoredPlace): string {
  if (typeof stored === "string") return stored;
  try {
    return inflateRawSync(stored).toString("utf8");
  } catch (thrown) {
    throw damaged(place, messageOf(thrown), thrown);
  }
}

/** The value that was stored, its keys in their order. Throws LEDGER_ROW_DAMAGED. */
export function storedJson(stored: StoredJson, place: StoredPlace): Json {
  const text = storedText(stored, place);
  try {
    return JSON.parse(text) as Json;
  } catch (thrown) {
    throw damaged(place, messageOf(thrown), thrown);
  }
}

/** The value that was stored, checked all the way down; its keys keep their order. Throws LEDGER_ROW_DAMAGED. */
export function storedValue<T>(schema: z.ZodType<T>, stored: StoredJson, place: StoredPlace): T {
  const value = storedJson(stored, place);
  const checked = schema.safeParse(value);
  if (!checked.success) throw damaged(place, firstIssue(checked.error), checked.error);
  return value as T;
}

/** Canonical JSON of a stored value, for comparing. Throws LEDGER_ROW_DAMAGED. */
export function storedCanonical(stored: StoredJson, place: StoredPlace): string {
  return canonicalJson(storedJson(stored, place));
}

/** Whether a stored value equals the one that `text` says, whatever the order of keys. Throws LEDGER_ROW_DAMAGED. */
export function storedEquals(stored: StoredJson, text: string, place: StoredPlace): boolean {
  if (storedText(stored, place) === text) return true;
  return storedCanonical(stored, place) === canonicalJson(JSON.parse(text));
}

/** JSON text of a value that fits its schema, keys in their order. Throws LEDGER_VALUE_INVALID. */
export function textOf<T>(schema: z.ZodType<T>, value: T, place: StoredPlace): string {
  const checked = schema.safeParse(value);
  if (checked.success) return JSON.stringify(value);
  throw new GradusError(
    "LEDGER_VALUE_INVALID",
    `cannot store ${place.what} of sample ${place.sampleId}: ${firstIssue(checked.error)}`,
    {
      site: { file: place.file, rowId: place.sampleId },
      hint: "only validated records enter the ledger: check them where they are made",
      cause: checked.error,
    },
  );
}

function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  return issue === undefined ? "it does not fit" : `${issue.path.map(String).join(".")}: ${issue.message}`;
}

function damaged(place: StoredPlace, why: string, cause: unknown): GradusError {
  return new GradusError(
    "LEDGER_ROW_DAMAGED",
    `cannot read ${place.what} of sample ${place.sampleId}: ${why}`,
    {
      site: { file: place.file, rowId: place.sampleId },
      hint: "restore the ledger from a copy, or delete this sample from it to have it asked for again",
      cause,
    },
  );
}
