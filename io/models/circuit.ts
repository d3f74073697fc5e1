import { GradusError } from "../../core/errors.ts";
import { elapsedMs } from "../clock.ts";
import type { CircuitOptions } from "./client-options.ts";
import { WaitQueue } from "./interruption.ts";

/**
 * What an attempt told of the server: `alive` (it did its work or refused the request for a reason), `busy` (it
 * answers, but takes no work: 429, 503), `failed` (no usable answer), `unknown` (the caller stopped).
 */
export type CircuitReport = "alive" | "busy" | "failed" | "unknown";

/** The right to send one request. */
export interface Admission {
  /** Says how it went; call it once. */
  report(outcome: CircuitReport): void;
}

/**
 * A circuit breaker shared by all callers of a server. Failures in a row open it; while it is open callers wait;
 * after a pause one of them probes. Without any success for `giveUpAfterMs` callers get an error instead, so that
 * a run stops rather than hangs; a later call still probes, so a server that comes back is found.
 */
export class Circuit {
  readonly #options: CircuitOptions;
  readonly #server: string;
  readonly #clock: () => number;
  readonly #queue = new WaitQueue();
  #state: "closed" | "open" | "probing" = "closed";
  #openUntilMs = 0;
  #failures = 0;
  #failingSinceMs: number | null = null;

  constructor(options: CircuitOptions, server: string, clock: () => number = elapsedMs) {
    this.#options = options;
    this.#server = server;
    this.#clock = clock;
  }

  /** Waits until a request may be sent. Throws MODEL_CIRCUIT_OPEN, INTERRUPTED. */
  async admit(signal: AbortSignal): Promise<Admission> {
    while (this.#state !== "closed") {
      const cooldownMs = this.#openUntilMs - this.#clock();
      if (this.#state === "open" && cooldownMs <= 0) {
        this.#state = "probing";
        return this.#admission(true);
      }
      const leftMs = this.msUntilGivingUp();
      if (leftMs <= 0) throw this.failure();
      await this.#queue.wait(signal, this.#state === "open" ? Math.min(cooldownMs, leftMs) : leftMs);
    }
    return this.#admission(false);
  }

  /** How long the server may go on failing before callers give up; infinite while it works. */
  msUntilGivingUp(): number {
    if (this.#failingSinceMs === null) return Number.POSITIVE_INFINITY;
    return this.#failingSinceMs + this.#options.giveUpAfterMs - this.#clock();
  }

  /** The error of callers that give up. */
  failure(cause?: Error): GradusError {
    const failingMs = this.#clock() - (this.#failingSinceMs ?? this.#clock());
    return new GradusError(
      "MODEL_CIRCUIT_OPEN",
      `${this.#server} has not answered any request for ${Math.round(failingMs / 1000)} s`,
      {
        hint: "check that the server runs and takes this load, then run the same command again: what was finished is kept",
        ...(cause === undefined ? {} : { cause }),
      },
    );
  }

  #admission(isProbe: boolean): Admission {
    return {
      report: (outcome) => {
        if (outcome === "alive") this.#close();
        else if (outcome === "unknown") this.#abandon(isProbe);
        else this.#fail(outcome, isProbe);
        this.#queue.wakeAll();
      },
    };
  }

  #close(): void {
    this.#state = "closed";
    this.#failures = 0;
    this.#failingSinceMs = null;
  }

  #abandon(isProbe: boolean): void {
    if (isProbe && this.#state === "probing") this.#state = "open";
  }

  #fail(outcome: "busy" | "failed", isProbe: boolean): void {
    this.#failingSinceMs ??= this.#clock();
    if (outcome === "busy") {
      this.#failures = 0;
      if (isProbe) this.#state = "closed";
      return;
    }
    this.#failures += 1;
    const mayOpen = isProbe || (this.#state === "closed" && this.#failures >= this.#options.failures);
    if (!mayOpen) return;
    this.#state = "open";
    this.#openUntilMs = this.#clock() + this.#options.cooldownMs;
  }
}
