import { setMaxListeners } from "node:events";
import { GradusError } from "../../core/errors.ts";
import type { ModelAccount } from "../../core/model.ts";
import { SeededRandom } from "../../core/random.ts";
import { elapsedMs } from "../clock.ts";
import {
  abortFailure,
  classifyFailure,
  type AttemptFailure,
  type ServerIdentity,
} from "./attempt-failure.ts";
import type { CircuitReport } from "./circuit.ts";
import type { ClientOptions } from "./client-options.ts";
import type { SlotOutcome } from "./concurrency-gate.ts";
import type { AddressedServer, Endpoint } from "./endpoint.ts";
import { EndpointPool, type HeldPlace } from "./endpoint-pool.ts";
import { HealthCheck } from "./health-check.ts";
import { interruption, sleep, throwIfInterrupted } from "./interruption.ts";
import { RateLimit } from "./rate-limit.ts";
import { backoffMs } from "./retry-delay.ts";
import { Spending, type CountedTokens } from "./spending.ts";
import { TokenEstimate } from "./token-estimate.ts";

/** One thing to ask of a server: `send` may run several times, `read` once for each reply. */
export interface ServerTask<T> {
  /** UTF-8 bytes of what the server will count as prompt: an upper bound of its tokens. */
  readonly promptBytes: number;
  readonly maxTokens: number;
  /** Requests of one key stay at one server; called only where there are several. */
  stickyKey(): string;
  /** Ends an attempt that has been sent; the call's signal when left out. */
  readonly sentSignal?: AbortSignal | undefined;
  /** One attempt at a server, by its position; the raw reply. */
  send(signal: AbortSignal, server: number): Promise<unknown>;
  /** The tokens that a raw reply counts, whether it is valid or not. */
  countTokens(reply: unknown): CountedTokens;
  /** The validated reply, or a `GradusError`: MODEL_REPLY_INVALID and its like are retried. */
  read(reply: unknown, server: ServerIdentity): T;
}

/** A validated reply and its cost in micro-dollars. */
export interface ServerAnswer<T> {
  readonly value: T;
  readonly costMicroUsd: number | null;
}

type Sent = { readonly reply: unknown } | { readonly failure: AttemptFailure };
type Attempt<T> = { readonly answer: ServerAnswer<T> } | { readonly failure: AttemptFailure };

/** Where and as what an attempt is sent. */
interface Place {
  readonly held: HeldPlace;
  readonly isRetry: boolean;
}

/** What a request has gone through. */
interface Trouble {
  readonly failures: Map<Endpoint, number>;
  attempts: number;
  /** Failures that count against `retries`. */
  counted: number;
  waits: number;
  /** Since when it has failed at every server that works. */
  sinceMs: number | null;
}

/**
 * Everything between a caller and servers that fail: choice of the server, adaptive concurrency, rate limits,
 * budget, a timeout, retries, circuit breakers, accounting. One for each model and key; the client libraries'
 * own retries are off, so each attempt is counted here.
 */
export class ServerCaller {
  readonly #options: ClientOptions;
  readonly #pool: EndpointPool;
  readonly #health: HealthCheck;
  readonly #rate: RateLimit;
  readonly #spending: Spending;
  readonly #estimate = new TokenEstimate();
  readonly #jitter = new SeededRandom(0, "model-retry-jitter");
  #closed = false;
  #lastFailure: string | null = null;

  constructor(options: ClientOptions, servers: readonly AddressedServer[]) {
    this.#options = options;
    this.#pool = new EndpointPool(servers, options);
    this.#health = new HealthCheck(options.healthCheck);
    this.#rate = new RateLimit(options);
    this.#spending = new Spending(options.prices, options.maxCostUsd);
  }

  /**
   * Asks until there is a valid reply: first at every server that works, then again after a pause. Throws
   * MODEL_UNAVAILABLE after `retries` counted failures, or when this request alone stays rate-limited for
   * `giveUpAfterMs`; MODEL_CIRCUIT_OPEN when no server answers anything for that long; final errors of
   * {@link classifyFailure} at once; INTERRUPTED.
   */
  async call<T>(task: ServerTask<T>, signal: AbortSignal): Promise<ServerAnswer<T>> {
    setMaxListeners(0, signal, task.sentSignal ?? signal);
    const key = this.#pool.endpoints.length > 1 ? task.stickyKey() : null;
    const trouble: Trouble = { failures: new Map(), attempts: 0, counted: 0, waits: 0, sinceMs: null };
    for (;;) {
      throwIfInterrupted(signal);
      if (this.#closed) throw interruption();
      const held = await this.#pool.hold({ key, failures: trouble.failures }, signal);
      const attempt = await this.#attempt(task, { held, isRetry: trouble.attempts > 0 }, signal);
      if ("answer" in attempt) return attempt.answer;
      const delayMs = this.#delayAfter(attempt.failure, held.endpoint, trouble);
      if (delayMs > 0) await sleep(delayMs, signal);
    }
  }

  /** From now on nothing is sent: calls end with INTERRUPTED. */
  close(): void {
    this.#closed = true;
  }

  account(): ModelAccount {
    const endpoints = this.#pool.account();
    return {
      ...this.#spending.account(),
      ...(endpoints.length < 2 ? {} : { endpoints }),
      ...(this.#lastFailure === null ? {} : { lastFailure: this.#lastFailure }),
    };
  }

  async #attempt<T>(task: ServerTask<T>, at: Place, signal: AbortSignal): Promise<Attempt<T>> {
    let report: CircuitReport = "unknown";
    let outcome: SlotOutcome = "other";
    try {
      const attempt = await this.#pay(task, at, signal);
      this.#lastFailure = "answer" in attempt ? null : attempt.failure.error.message;
      if ("answer" in attempt) {
        report = "alive";
        outcome = "succeeded";
      } else {
        report = circuitReport(attempt.failure);
        outcome = ["busy", "slow"].includes(attempt.failure.kind) ? "overloaded" : "other";
      }
      return attempt;
    } finally {
      at.held.release(report, outcome);
    }
  }

  async #pay<T>(task: ServerTask<T>, { held, isRetry }: Place, signal: AbortSignal): Promise<Attempt<T>> {
    const { endpoint } = held;
    const reserved = await this.#spending.reserve(task.promptBytes, task.maxTokens, signal);
    const estimated = this.#estimate.of(task.promptBytes, task.maxTokens);
    let sent: Sent | undefined;
    try {
      await this.#rate.take(estimated, signal);
      await endpoint.pause.wait(signal);
      throwIfInterrupted(signal);
      this.#spending.countAttempt(isRetry);
      endpoint.countRequest();
      sent = await this.#send(task, endpoint, task.sentSignal ?? signal);
    } finally {
      if (sent === undefined || "failure" in sent) this.#spending.settle(reserved, null);
    }
    if ("failure" in sent) return sent;
    const counted = task.countTokens(sent.reply);
    const costMicroUsd = this.#spending.settle(reserved, counted);
    const { promptTokens, completionTokens } = counted;
    if (promptTokens !== null && completionTokens !== null) {
      this.#rate.correct(estimated, promptTokens + completionTokens);
      this.#estimate.learn(task.promptBytes, promptTokens, completionTokens);
    }
    try {
      return { answer: { value: task.read(sent.reply, endpoint.server), costMicroUsd } };
    } catch (thrown) {
      return { failure: classifyFailure(thrown, endpoint.server) };
    }
  }

  async #send<T>(task: ServerTask<T>, endpoint: Endpoint, signal: AbortSignal): Promise<Sent> {
    const { server } = endpoint;
    const timeoutMs = this.#options.requestTimeoutMs;
    const place = this.#pool.endpoints.indexOf(endpoint);
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    const timer = setTimeout(stop, timeoutMs);
    signal.addEventListener("abort", stop, { once: true });
    const watch = this.#pool.endpoints.length > 1 ? this.#health.watch(endpoint) : null;
    watch?.signal.addEventListener("abort", stop, { once: true });
    try {
      return { reply: await task.send(controller.signal, place) };
    } catch (thrown) {
      if (watch?.signal.aborted === true && !signal.aborted)
        return { failure: abortFailure("silent", timeoutMs, server) };
      if (!controller.signal.aborted) return { failure: classifyFailure(thrown, server) };
      return { failure: abortFailure(signal.aborted ? "stopped" : "too slow", timeoutMs, server) };
    } finally {
      clearTimeout(timer);
      watch?.end(!controller.signal.aborted);
      signal.removeEventListener("abort", stop);
    }
  }

  /**
   * How long a request waits after a failure: not at all where another server may take it. Throws when it is not
   * to be sent again.
   */
  #delayAfter(failure: AttemptFailure, endpoint: Endpoint, trouble: Trouble): number {
    if (failure.kind === "final") throw failure.error;
    if (this.#closed) throw interruption();
    const failingMs = trouble.sinceMs === null ? 0 : elapsedMs() - trouble.sinceMs;
    const leftMs = this.#pool.msUntilGivingUp();
    if (leftMs <= 0) throw this.#pool.failure(failure.error);
    trouble.attempts += 1;
    trouble.failures.set(endpoint, (trouble.failures.get(endpoint) ?? 0) + 1);
    if (failure.kind !== "busy") trouble.counted += 1;
    const askedMs = failure.retryAfterMs;
    if (failure.kind === "busy" && askedMs !== null) endpoint.pause.extend(Math.min(leftMs, askedMs));
    if (this.#pool.hasFresh(trouble.failures)) return 0;
    trouble.sinceMs ??= elapsedMs();
    const { retries, circuit, retryDelayMs: firstMs, maxRetryDelayMs: longestMs } = this.#options;
    if (trouble.counted > retries || failingMs >= circuit.giveUpAfterMs) {
      throw this.#unavailable(trouble.attempts, failure);
    }
    trouble.waits += 1;
    return askedMs === null || this.#pool.hasRested()
      ? Math.min(leftMs, backoffMs(trouble.waits, { firstMs, longestMs }, this.#jitter))
      : Math.min(leftMs, askedMs + firstMs * this.#jitter.next());
  }

  #unavailable(attempts: number, failure: AttemptFailure): GradusError {
    return new GradusError(
      "MODEL_UNAVAILABLE",
      `no valid reply in ${attempts} attempts; the last failed with ${failure.error.code}: ${failure.error.message}`,
      {
        hint: failure.error.hint ?? "run the same command again later: what was finished is kept",
        cause: failure.error,
      },
    );
  }
}

function circuitReport(failure: AttemptFailure): CircuitReport {
  if (failure.kind === "busy") return "busy";
  if (failure.kind !== "final") return "failed";
  return ["INTERRUPTED", "MODEL_CLIENT_FAILED"].includes(failure.error.code) ? "unknown" : "alive";
}
