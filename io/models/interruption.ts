import { GradusError } from "../../core/errors.ts";

/** The error of work that was told to stop. */
export function interruption(): GradusError {
  return new GradusError("INTERRUPTED", "the call was stopped before it finished", {
    hint: "run the same command again: what was finished is kept",
  });
}

/** Throws INTERRUPTED once `signal` has fired. */
export function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted) throw interruption();
}

/** Resolves after `delayMs`; throws INTERRUPTED as soon as `signal` fires. */
export function sleep(delayMs: number, signal: AbortSignal): Promise<void> {
  return new WaitQueue().wait(signal, delayMs);
}

interface Waiter {
  finish(error?: GradusError): void;
}

/** Callers that wait for their turn, woken in the order they came. */
export class WaitQueue {
  readonly #waiters = new Set<Waiter>();

  get size(): number {
    return this.#waiters.size;
  }

  /** Resolves when woken or after `longestMs`; throws INTERRUPTED as soon as `signal` fires. */
  wait(signal: AbortSignal, longestMs = Number.POSITIVE_INFINITY): Promise<void> {
    if (signal.aborted) return Promise.reject(interruption());
    return new Promise((resolve, reject) => {
      const finish = (error?: GradusError): void => {
        this.#waiters.delete(waiter);
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        if (error === undefined) resolve();
        else reject(error);
      };
      const waiter: Waiter = { finish };
      const stop = (): void => finish(interruption());
      const timer = Number.isFinite(longestMs) ? setTimeout(finish, Math.max(0, longestMs)) : undefined;
      signal.addEventListener("abort", stop, { once: true });
      this.#waiters.add(waiter);
    });
  }

  /** Wakes the first in line; says whether there was one. */
  wakeOne(): boolean {
    for (const waiter of this.#waiters) {
      waiter.finish();
      return true;
    }
    return false;
  }

  wakeAll(): void {
    for (const waiter of this.#waiters) waiter.finish();
  }
}
