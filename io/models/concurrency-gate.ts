import { WaitQueue } from "./interruption.ts";
import type { ConcurrencyOptions } from "./client-options.ts";

/** What became of the request that held a slot. */
export type SlotOutcome = "succeeded" | "overloaded" | "other";

/** The right to have one request open. */
export interface Slot {
  /** Gives the slot back; call it once. */
  release(outcome: SlotOutcome): void;
}

/**
 * Limits open requests: additive increase, multiplicative decrease. Until the first overload each success
 * adds a place (the limit doubles a round); after it, a round of successes adds one. An overload halves the
 * limit, once for all requests that were open at that time. Only full use makes it grow.
 */
export class ConcurrencyGate {
  readonly #queue = new WaitQueue();
  readonly #options: ConcurrencyOptions;
  #limit: number;
  #open = 0;
  #overloads = 0;
  #successes = 0;

  constructor(options: ConcurrencyOptions) {
    this.#options = options;
    this.#limit = Math.max(options.min, options.start);
  }

  /** The present limit. */
  get limit(): number {
    return this.#limit;
  }

  /** Requests that are open or wait for a place. */
  get load(): number {
    return this.#open + this.#queue.size;
  }

  /** Requests that are open. */
  get open(): number {
    return this.#open;
  }

  /** Lets everybody who waits in over the limit: they are to see that there is nothing here, and leave. */
  dismiss(): void {
    while (this.#queue.wakeOne()) this.#open += 1;
  }

  /** Waits for a place, first come first served. Throws INTERRUPTED. */
  async acquire(signal: AbortSignal): Promise<Slot> {
    if (this.#open >= this.#limit || this.#queue.size > 0) await this.#queue.wait(signal);
    else this.#open += 1;
    const born = this.#overloads;
    return {
      release: (outcome) => {
        const full = this.#open >= this.#limit;
        this.#open -= 1;
        if (outcome === "overloaded") this.#shrink(born);
        else if (outcome === "succeeded" && full) this.#grow();
        this.#admit();
      },
    };
  }

  #grow(): void {
    this.#successes += 1;
    if (this.#overloads > 0 && this.#successes < this.#limit) return;
    this.#successes = 0;
    this.#limit = Math.min(this.#options.max, this.#limit + 1);
  }

  #shrink(born: number): void {
    if (born !== this.#overloads) return;
    this.#overloads += 1;
    this.#successes = 0;
    this.#limit = Math.max(this.#options.min, Math.floor(this.#limit / 2));
  }

  #admit(): void {
    while (this.#open < this.#limit && this.#queue.wakeOne()) this.#open += 1;
  }
}
