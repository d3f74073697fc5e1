import { elapsedMs } from "../clock.ts";
import { sleep } from "./interruption.ts";

/** How long a server has asked to be left alone. */
export class Pause {
  readonly #clock: () => number;
  #untilMs = Number.NEGATIVE_INFINITY;

  constructor(clock: () => number = elapsedMs) {
    this.#clock = clock;
  }

  /** Milliseconds that are left of it; 0 when there is none. */
  get leftMs(): number {
    return Math.max(0, this.#untilMs - this.#clock());
  }

  /** Lasts for at least `delayMs` from now. */
  extend(delayMs: number): void {
    this.#untilMs = Math.max(this.#untilMs, this.#clock() + delayMs);
  }

  /** Resolves once nobody is held back any more. Throws INTERRUPTED. */
  async wait(signal: AbortSignal): Promise<void> {
    while (this.leftMs > 0) await sleep(this.leftMs, signal);
  }
}
