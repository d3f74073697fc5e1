import { elapsedMs } from "../clock.ts";
import { sleep } from "./interruption.ts";

const MINUTE_MS = 60_000;

/** A token bucket that may go into debt: what it lacks is waited for, in the order of asking. */
class Bucket {
  readonly #perMs: number;
  readonly #capacity: number;
  #level: number;
  #filledAtMs: number;

  constructor(perMinute: number, capacity: number, now: number) {
    this.#perMs = perMinute / MINUTE_MS;
    this.#capacity = capacity;
    this.#level = capacity;
    this.#filledAtMs = now;
  }

  /** Takes `amount` (or gives it back, when negative) and returns how long to wait for it, in milliseconds. */
  take(amount: number, now: number): number {
    const filled = this.#level + (now - this.#filledAtMs) * this.#perMs;
    this.#filledAtMs = now;
    this.#level = Math.min(this.#capacity, filled) - amount;
    this.#level = Math.min(this.#capacity, this.#level);
    return Math.max(0, -this.#level / this.#perMs);
  }
}

/** Requests and tokens a minute; a second's worth of requests and ten seconds' worth of tokens may come at once. */
export class RateLimit {
  readonly #requests: Bucket | null;
  readonly #tokens: Bucket | null;
  readonly #clock: () => number;

  constructor(
    limits: { readonly requestsPerMinute: number | null; readonly tokensPerMinute: number | null },
    clock: () => number = elapsedMs,
  ) {
    const { requestsPerMinute, tokensPerMinute } = limits;
    this.#clock = clock;
    this.#requests =
      requestsPerMinute === null
        ? null
        : new Bucket(requestsPerMinute, Math.max(1, requestsPerMinute / 60), clock());
    this.#tokens =
      tokensPerMinute === null
        ? null
        : new Bucket(tokensPerMinute, Math.max(1, tokensPerMinute / 6), clock());
  }

  /** Milliseconds that a request of `tokens` must wait from now; the request counts as sent. */
  reserve(tokens: number): number {
    const now = this.#clock();
    return Math.max(this.#requests?.take(1, now) ?? 0, this.#tokens?.take(tokens, now) ?? 0);
  }

  /** Waits until a request of about `tokens` may be sent. Throws INTERRUPTED. */
  async take(tokens: number, signal: AbortSignal): Promise<void> {
    const waitMs = this.reserve(tokens);
    if (waitMs > 0) await sleep(waitMs, signal);
  }

  /** Corrects an estimate by what the server counted. */
  correct(estimatedTokens: number, countedTokens: number): void {
    this.#tokens?.take(countedTokens - estimatedTokens, this.#clock());
  }
}
