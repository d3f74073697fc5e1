import { createHash, hash } from "node:crypto";
import type { ResultTable } from "../core/execution.ts";

/** Words of 32 bits that are kept of the SHA-256 of a row. */
const WORDS = 4;
const FIRST_ROWS = 1 << 16;
const CHUNK = 1 << 16;
const BUCKETS = 1 << 16;
const DIGEST_LENGTH = 32;

/** What is kept of a result too large to hold: 16 bytes a row, by which results are compared as sets or multisets. */
export class RowHashes {
  /** Whether a row has text that is not UTF-8. */
  hasInvalidText = false;
  #words = new Uint32Array(FIRST_ROWS * WORDS);
  #sorted: Uint32Array | undefined;
  #count = 0;
  #pending: string;
  readonly #columns: number;
  readonly #ordered = createHash("sha256");

  constructor(columns: number) {
    this.#columns = columns;
    this.#pending = `${columns}|`;
  }

  get count(): number {
    return this.#count;
  }

  get columns(): number {
    return this.#columns;
  }

  /** Adds a row by its `rowKey`; all of them before anything is asked. */
  add(key: string): void {
    if (this.#words.length < (this.#count + 1) * WORDS) {
      const larger = new Uint32Array(this.#words.length * 2);
      larger.set(this.#words);
      this.#words = larger;
    }
    writeHash(key, this.#words, this.#count * WORDS);
    this.#count += 1;
    this.#pending += key;
    if (this.#pending.length < CHUNK) return;
    this.#ordered.update(this.#pending);
    this.#pending = "";
  }

  /** Digests of the rows as a multiset, and in their order as `digestRows` has it; 32 hexadecimal digits each. */
  digests(): { digest: string; orderedDigest: string } {
    const ordered = this.#ordered.copy().update(this.#pending).digest("hex");
    const sorted = createHash("sha256").update(`${this.#columns}|`).update(this.#inOrder()).digest("hex");
    return { digest: sorted.slice(0, DIGEST_LENGTH), orderedDigest: ordered.slice(0, DIGEST_LENGTH) };
  }

  /** Whether the same rows are in both, however often. */
  hasSameSet(other: RowHashes): boolean {
    const [left, right] = [this.#inOrder(), other.#inOrder()];
    let place = 0;
    let otherPlace = 0;
    while (place < left.length && otherPlace < right.length) {
      if (compare(left, place, right, otherPlace) !== 0) return false;
      place = afterEqual(left, place);
      otherPlace = afterEqual(right, otherPlace);
    }
    return place === left.length && otherPlace === right.length;
  }

  /** Whether rows, by their `rowKey`, are the same set; stops at the first that is not in it. */
  hasSameSetAs(keys: Iterable<string>): boolean {
    const sorted = this.#inOrder();
    const seen = new Uint8Array(this.#count);
    const row = new Uint32Array(WORDS);
    for (const key of keys) {
      writeHash(key, row, 0);
      const place = firstEqual(sorted, row);
      if (place === -1) return false;
      seen[place / WORDS] = 1;
    }
    for (let place = 0; place < sorted.length; place = afterEqual(sorted, place)) {
      if (seen[place / WORDS] === 0) return false;
    }
    return true;
  }

  #inOrder(): Uint32Array {
    if (this.#sorted === undefined) {
      this.#sorted = sortedRows(this.#words.subarray(0, this.#count * WORDS));
      this.#words = new Uint32Array(0);
    }
    return this.#sorted;
  }
}

const hashesOfTables = new WeakMap<ResultTable, RowHashes>();

/** Keeps the hashes of a table's rows for {@link rowHashesOf}. */
export function rememberRowHashes(table: ResultTable, hashes: RowHashes): void {
  hashesOfTables.set(table, hashes);
}

/** The hashes of a table's rows, where they are kept: to ask it for its rows would read all of them again. */
export function rowHashesOf(table: ResultTable): RowHashes | undefined {
  return hashesOfTables.get(table);
}

function writeHash(key: string, words: Uint32Array, place: number): void {
  const bytes = hash("sha256", key, "binary");
  for (let word = 0; word < WORDS; word += 1) {
    let value = 0;
    for (let byte = 0; byte < 4; byte += 1) value = (value << 8) | bytes.charCodeAt(4 * word + byte);
    words[place + word] = value;
  }
}

/** The rows in the order of their words: by the upper half of the first into buckets, then within each. */
function sortedRows(words: Uint32Array): Uint32Array {
  const starts = new Uint32Array(BUCKETS + 1);
  for (let place = 0; place < words.length; place += WORDS) {
    const bucket = (words[place] as number) >>> 16;
    starts[bucket + 1] = (starts[bucket + 1] as number) + 1;
  }
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    starts[bucket + 1] = (starts[bucket + 1] as number) + (starts[bucket] as number);
  }
  const filled = starts.slice();
  const rows = new Uint32Array(words.length / WORDS);
  for (let place = 0; place < words.length; place += WORDS) {
    const bucket = (words[place] as number) >>> 16;
    rows[filled[bucket] as number] = place;
    filled[bucket] = (filled[bucket] as number) + 1;
  }
  for (let bucket = 0; bucket < BUCKETS; bucket += 1) {
    rows
      .subarray(starts[bucket], starts[bucket + 1])
      .sort((left, right) => compare(words, left, words, right));
  }
  const sorted = new Uint32Array(words.length);
  rows.forEach((place, row) => {
    sorted.set(words.subarray(place, place + WORDS), row * WORDS);
  });
  return sorted;
}

function compare(left: Uint32Array, leftPlace: number, right: Uint32Array, rightPlace: number): number {
  for (let word = 0; word < WORDS; word += 1) {
    const difference = (left[leftPlace + word] as number) - (right[rightPlace + word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The place behind the rows that are equal to the one at a place. */
function afterEqual(sorted: Uint32Array, place: number): number {
  let next = place + WORDS;
  while (next < sorted.length && compare(sorted, place, sorted, next) === 0) next += WORDS;
  return next;
}

/** The place of the first row equal to `row`; -1 when there is none. */
function firstEqual(sorted: Uint32Array, row: Uint32Array): number {
  let low = 0;
  let high = sorted.length / WORDS;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(sorted, middle * WORDS, row, 0) < 0) low = middle + 1;
    else high = middle;
  }
  const place = low * WORDS;
  return place < sorted.length && compare(sorted, place, row, 0) === 0 ? place : -1;
}
