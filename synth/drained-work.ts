import pLimit, { type LimitFunction } from "p-limit";
import { GradusError } from "../core/errors.ts";
import { isOpen } from "./sample-group.ts";

/**
 * Work that asks a model, so much at a time. Once it is ended nothing more is started, and what is on its way is
 * waited for, so that replies that were paid for reach the ledger.
 */
export class DrainedWork {
  readonly #limit: LimitFunction;
  readonly #stop = new AbortController();
  readonly #inFlight = new Set<Promise<void>>();
  #fatal: unknown;
  #open = 0;
  #lastOpen: unknown;

  /** `signal` ends what waits to be sent. */
  constructor(concurrency: number, signal: AbortSignal) {
    this.#limit = pLimit(concurrency);
    if (signal.aborted) this.#stop.abort();
    signal.addEventListener("abort", () => this.#stop.abort(), { once: true });
  }

  /** Ends what waits to be sent: at an interruption, and once the work has ended. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** How many failures were told of that left something open, and the last of them. */
  get open(): { readonly count: number; readonly last: unknown } {
    return { count: this.#open, last: this.#lastOpen };
  }

  /** Starts a piece of work when it is its turn; a failure that leaves nothing open ends all work. */
  run<T>(start: () => Promise<T>): Promise<T> {
    const made = this.#limit(() => {
      this.throwIfEnded();
      return start().catch((thrown: unknown) => {
        if (!isOpen(thrown)) this.#end(thrown);
        throw thrown;
      });
    });
    const ended = made.then(
      () => undefined,
      () => undefined,
    );
    this.#inFlight.add(ended);
    void ended.then(() => this.#inFlight.delete(ended));
    return made;
  }

  /** Takes note of a failure: one that leaves something open is counted, any other ends all work. */
  fail(thrown: unknown): void {
    if (isOpen(thrown)) {
      this.#open += 1;
      this.#lastOpen = thrown;
    } else {
      this.#end(thrown);
    }
  }

  /** Throws what ended the work, if it has ended. */
  throwIfEnded(): void {
    if (this.#fatal !== undefined) throw this.#fatal;
  }

  /** Starts nothing new and waits for what is on its way. `message`: what ended, for what still waits. */
  async drain(message: string): Promise<void> {
    this.#end(new GradusError("INTERRUPTED", message));
    await Promise.all(this.#inFlight);
  }

  #end(thrown: unknown): void {
    this.#fatal ??= thrown;
    this.#stop.abort();
  }
}
