import { createHash } from "node:crypto";
import { canonicalJson, type Json } from "./key.ts";

/**
 * The one source of random numbers: a stream that depends only on the run's seed, a purpose, and the
 * parts that name the row (example id, sample index). xoshiro128** seeded by SHA-256.
 */
export class SeededRandom {
  readonly #state: Uint32Array;

  constructor(seed: number, purpose: string, ...parts: readonly Json[]) {
    const digest = createHash("sha256")
      .update(canonicalJson([seed, purpose, ...parts]))
      .digest();
    this.#state = new Uint32Array([
      digest.readUInt32LE(0),
      digest.readUInt32LE(4),
      digest.readUInt32LE(8),
      digest.readUInt32LE(12) | 1,
    ]);
  }

  /** A 32-bit unsigned integer. */
  nextUint32(): number {
    const s = this.#state as unknown as [number, number, number, number];
    const result = Math.imul(rotateLeft(Math.imul(s[1], 5), 7), 9) >>> 0;
    const shifted = s[1] << 9;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotateLeft(s[3], 11);
    return result;
  }

  /** A number in [0, 1) with 32 bits of resolution. */
  next(): number {
    return this.nextUint32() / 0x1_0000_0000;
  }

  /** An integer in [0, bound), without modulo bias; `bound` from 1 to 2^32. */
  integer(bound: number): number {
    const limit = 0x1_0000_0000 - (0x1_0000_0000 % bound);
    let value = this.nextUint32();
    while (value >= limit) value = this.nextUint32();
    return value % bound;
  }

  /** One item, each as likely as another; `undefined` when there is none. */
  pick<T>(items: readonly T[]): T | undefined {
    return items.length === 0 ? undefined : items[this.integer(items.length)];
  }

  /** A shuffled copy (Fisher-Yates). */
  shuffle<T>(items: readonly T[]): T[] {
    const shuffled = [...items];
    for (let index = shuffled.length - 1; index > 0; index -= 1) {
      const other = this.integer(index + 1);
      const item = shuffled[index] as T;
      shuffled[index] = shuffled[other] as T;
      shuffled[other] = item;
    }
    return shuffled;
  }
}

function rotateLeft(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}
