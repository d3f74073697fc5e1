import { createHash, hash } from "node:crypto";
import { InvalidText } from "../core/execution.ts";
import type { Cell } from "../core/execution.ts";

type Row = readonly Cell[];

const CHUNK = 1 << 16;
const DIGEST_LENGTH = 32;

/**
 * A text that is the same for two cells exactly when they are equal as values: integers and floats by
 * their exact value (`1` and `1.0`, `-0.0` and `0`), text by its characters, blobs and invalid text by
 * their bytes; NULL equals NULL; no two kinds are equal but integer and float. It delimits itself.
 */
export function cellKey(cell: Cell): string {
  switch (typeof cell) {
    case "string":
      return `t${cell.length}:${cell}`;
    case "bigint":
      return `i${cell};`;
    case "number":
      if (Number.isSafeInteger(cell)) return `i${cell};`;
      return Number.isInteger(cell) ? `i${BigInt(cell)};` : `f${cell};`;
    default:
      if (cell === null) return "n";
      return cell instanceof InvalidText ? `x${hexOf(cell.bytes)};` : `b${hexOf(cell)};`;
  }
}

/** The {@link cellKey} of every cell of a row, joined: equal for rows that are equal as tuples of one length. */
export function rowKey(row: Row): string {
  let key = "";
  for (let index = 0; index < row.length; index += 1) key += cellKey(row[index] as Cell);
  return key;
}

const keysOfRows = new WeakMap<readonly Row[], readonly string[]>();

/** Keeps the {@link rowKey} of every row of an array for {@link rowKeys}. */
export function rememberRowKeys(rows: readonly Row[], keys: readonly string[]): void {
  keysOfRows.set(rows, keys);
}

/** The {@link rowKey} of every row, in their order; worked out once for each array of rows. */
export function rowKeys(rows: readonly Row[]): readonly string[] {
  let keys = keysOfRows.get(rows);
  if (keys === undefined) {
    keys = rows.map(rowKey);
    keysOfRows.set(rows, keys);
  }
  return keys;
}

/**
 * Digests of rows by their {@link rowKey}: as a multiset (`digest`) and in their order, 32 hexadecimal
 * digits each. A result without rows has the same digest whatever its columns.
 *
 * @param keys - where they are known
 */
export function digestRows(
  rows: readonly Row[],
  keys: readonly string[] = rowKeys(rows),
): { digest: string; orderedDigest: string } {
  const prefix = rows.length === 0 ? "0|" : `${rows[0]?.length}|`;
  const orderedDigest = digestKeys(prefix, keys);
  if (isSorted(keys)) return { digest: orderedDigest, orderedDigest };
  return { digest: digestKeys(prefix, [...keys].sort()), orderedDigest };
}

function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index += 1) {
    if ((keys[index - 1] as string) > (keys[index] as string)) return false;
  }
  return true;
}

function digestKeys(prefix: string, keys: readonly string[]): string {
  let pending = prefix;
  let state: ReturnType<typeof createHash> | undefined;
  for (const key of keys) {
    pending += key;
    if (pending.length < CHUNK) continue;
    state ??= createHash("sha256");
    state.update(pending);
    pending = "";
  }
  const digest = state === undefined ? hash("sha256", pending, "hex") : state.update(pending).digest("hex");
  return digest.slice(0, DIGEST_LENGTH);
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("hex");
}
