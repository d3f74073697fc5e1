import { createHash } from "node:crypto";
import { GradusError } from "./errors.ts";

/** Plain JSON: what may cross a stage boundary, enter a key, or be written to a file. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * Serialises plain JSON by RFC 8785: keys sorted by UTF-16 code unit, shortest numbers, no white space.
 * Members whose value is `undefined` are left out and a lone surrogate is escaped, as in `JSON.stringify`.
 * @throws KEY_NOT_JSON for anything else that JSON cannot carry, with its path.
 */
export function canonicalJson(value: unknown): string {
  return serialise(value, "$");
}

function serialise(value: unknown, path: string): string {
  if (value === null || typeof value === "boolean" || typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw notJson(path, String(value));
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item, index) => serialise(item, `${path}[${index}]`)).join(",")}]`;
  }
  if (typeof value === "object" && isPlain(value)) {
    const record = value as Record<string, unknown>;
    const members: string[] = [];
    for (const name of Object.keys(record).sort()) {
      if (record[name] === undefined) continue;
      members.push(`${JSON.stringify(name)}:${serialise(record[name], `${path}.${name}`)}`);
    }
    return `{${members.join(",")}}`;
  }
  throw notJson(path, describe(value));
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function describe(value: unknown): string {
  if (typeof value === "object" && value !== null)
    return `an instance of ${value.constructor?.name ?? "no class"}`;
  return typeof value;
}

function notJson(path: string, got: string): GradusError {
  return new GradusError("KEY_NOT_JSON", `cannot serialise ${path}: got ${got}, expected plain JSON`, {
    hint: "turn the value into strings, finite numbers, arrays and plain objects first",
  });
}

/** SHA-256 of UTF-8 text or bytes, as 64 lower-case hexadecimal digits. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** SHA-256 of the canonical JSON of `value`. */
export function keyOf(value: unknown): string {
  return sha256(canonicalJson(value));
}

/** The first 32 hexadecimal digits of `keyOf(value)`: the identity of a row. */
export function identityOf(value: unknown): string {
  return keyOf(value).slice(0, 32);
}

/** Digest of a sequence of rows, fed one by one: SHA-256 over their canonical JSON, a newline after each. */
export class RowDigest {
  readonly #hash = createHash("sha256");
  #count = 0;

  /** Adds a row and returns its canonical JSON, the line that stands for it in a file. */
  add(row: unknown): string {
    const line = canonicalJson(row);
    this.#hash.update(line).update("\n");
    this.#count += 1;
    return line;
  }

  get count(): number {
    return this.#count;
  }

  /** Ends the sequence; call it once. */
  finish(): string {
    return this.#hash.digest("hex");
  }
}

/** Freezes a JSON value all the way down and returns it; a part that is frozen is taken to be so all the way. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFreeze(member);
  }
  return value;
}
