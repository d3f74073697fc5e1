import { GradusError } from "../../core/errors.ts";
import { elapsedMs } from "../clock.ts";
import type { CircuitOptions } from "./client-options.ts";

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

/** Of what a circuit is, for messages, and whether refusals of a busy server open it as failures do. */
export interface CircuitServer {
  readonly label: string;
  /** True where another server can take the work. */
  readonly busyOpens: boolean;
}

/**
 * A circuit breaker shared by all callers of a server. Failures in a row open it; after a pause one request
 * probes. Once there was no success for `giveUpAfterMs` (or for `firstAnswerWithinMs` from a server that has
 * never answered), callers are to give up, so that a run stops rather than hangs; a later call still probes, so
 * a server that comes back is found.
 */
export class Circuit {
  readonly #options: CircuitOptions;
  readonly #server: CircuitServer;
  readonly #clock: () => number;
  #state: "closed" | "open" | "probing" = "closed";
  #openUntilMs = 0;
  #failures = 0;
  #failingSinceMs: number | null = null;
  #hasAnswered = false;

  constructor(options: CircuitOptions, server: CircuitServer, clock: () => number = elapsedMs) {
    this.#options = options;
    this.#server = server;
    this.#clock = clock;
  }

  /** Whether requests are sent freely. */
  get isClosed(): boolean {
    return this.#state === "closed";
  }

  /** How long until {@link tryAdmit} may give something; infinite while a probe is on its way. */
  msUntilAdmission(): number {
    if (this.#state === "closed") return 0;
    return this.#state === "probing" ? Number.POSITIVE_INFINITY : this.#openUntilMs - this.#clock();
  }

  /** The right to send a request; `null` while there is none. */
  tryAdmit(): Admission | null {
    if (this.#state === "closed") return this.#admission(false);
    if (this.msUntilAdmission() > 0) return null;
    this.#state = "probing";
    return this.#admission(true);
  }

  /** How long the server may go on failing before callers give up; infinite while it works. */
  msUntilGivingUp(): number {
    if (this.#failingSinceMs === null) return Number.POSITIVE_INFINITY;
    const { giveUpAfterMs, firstAnswerWithinMs } = this.#options;
    const patienceMs = this.#hasAnswered ? giveUpAfterMs : Math.min(giveUpAfterMs, firstAnswerWithinMs);
    return this.#failingSinceMs + patienceMs - this.#clock();
  }

  /** The error of callers that give up. */
  failure(cause?: Error): GradusError {
    const failingMs = this.#clock() - (this.#failingSinceMs ?? this.#clock());
    const seconds = Math.round(failingMs / 1000);
    const message = this.#hasAnswered
      ? `${this.#server.label} has not answered any request for ${seconds} s`
      : `${this.#server.label} has never answered: all requests failed for ${seconds} s`;
    const hint = this.#hasAnswered
      ? "check that the server runs and takes this load, then run the same command again: what was finished is kept"
      : "check that the server runs and that its address is right, then run the same command again; circuit.firstAnswerWithinMs of the client waits longer for one that is still starting";
    return new GradusError("MODEL_CIRCUIT_OPEN", message, {
      hint,
      ...(cause === undefined ? {} : { cause }),
    });
  }

  /** Opens it whatever was counted: the server is known not to answer. */
  trip(): void {
    this.#failingSinceMs ??= this.#clock();
    this.#open();
  }

  #admission(isProbe: boolean): Admission {
    return {
      report: (outcome) => {
        if (outcome === "alive" || outcome === "busy") this.#hasAnswered = true;
        if (outcome === "alive") this.#close();
        else if (outcome === "unknown") this.#abandon(isProbe);
        else this.#fail(outcome, isProbe);
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
    if (outcome === "busy" && !this.#server.busyOpens) {
      this.#failures = 0;
      if (isProbe) this.#state = "closed";
      return;
    }
    this.#failures += 1;
    const mayOpen = isProbe || (this.#state === "closed" && this.#failures >= this.#options.failures);
    if (!mayOpen) return;
    this.#open();
  }

  #open(): void {
    this.#state = "open";
    this.#openUntilMs = this.#clock() + this.#options.cooldownMs;
  }
}
