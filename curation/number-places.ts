import { mixed } from "./mixed.ts";

const FIRST_SLOTS = 64;

/**
 * Places for numbers, from 0 on, in the order in which they first come; equal numbers have one, both zeros too. NaN has
 * none to find and takes a new one each time. A map would do but for its memory: a lookup here reads one place of a flat
 * table, so that its cost hardly grows with the table, and nothing is left for the garbage collector to trace.
 */
export class NumberPlaces {
  #size = 0;
  /** Twice as many slots as numbers, or more; always a power of two. */
  #values = new Float64Array(FIRST_SLOTS);
  /** One more than the place of the number in the slot; 0 for a free one. */
  #taken = new Int32Array(FIRST_SLOTS);

  /** How many numbers have a place. */
  get size(): number {
    return this.#size;
  }

  /** The place of a number; -1 where it has none. */
  find(value: number): number {
    return (this.#taken[slotOf(value, this.#values, this.#taken)] as number) - 1;
  }

  /** The place of a number, a new one where it has none. */
  placeOf(value: number): number {
    const slot = slotOf(value, this.#values, this.#taken);
    const taken = this.#taken[slot] as number;
    if (taken !== 0) return taken - 1;
    this.#values[slot] = value;
    this.#size += 1;
    this.#taken[slot] = this.#size;
    if (2 * this.#size >= this.#taken.length) this.#grow();
    return this.#size - 1;
  }

  #grow(): void {
    const values = new Float64Array(2 * this.#values.length);
    const taken = new Int32Array(values.length);
    for (let slot = 0; slot < this.#taken.length; slot += 1) {
      if (this.#taken[slot] === 0) continue;
      const value = this.#values[slot] as number;
      const moved = slotOf(value, values, taken);
      values[moved] = value;
      taken[moved] = this.#taken[slot] as number;
    }
    this.#values = values;
    this.#taken = taken;
  }
}

const oneValue = new Float64Array(1);
const itsBits = new Int32Array(oneValue.buffer);

/** The slot that a number has, or the free one that it would get. */
function slotOf(value: number, values: Float64Array, taken: Int32Array): number {
  const mask = taken.length - 1;
  // Of the two zeros, which are equal, the positive one.
  oneValue[0] = value + 0;
  let slot = mixed(itsBits[0] as number, itsBits[1] as number) & mask;
  while (taken[slot] !== 0 && values[slot] !== value) slot = (slot + 1) & mask;
  return slot;
}
