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
import { Circuit, type CircuitReport } from "./circuit.ts";
import type { ClientOptions } from "./client-options.ts";
import { ConcurrencyGate, type SlotOutcome } from "./concurrency-gate.ts";
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
  /** Ends an attempt that has been sent; the call's signal when left out. */
  readonly sentSignal?: AbortSignal | undefined;
  /** One attempt; the raw reply. */
  send(signal: AbortSignal): Promise<unknown>;
  /** The tokens that a raw reply counts, whether it is valid or not. */
  countTokens(reply: unknown): CountedTokens;
  /** The validated reply, or a `GradusError`: MODEL_REPLY_INVALID and its like are retried. */
  read(reply: unknown): T;
}

/** A validated reply and its cost in micro-dollars. */
export interface ServerAnswer<T> {
  readonly value: T;
  readonly costMicroUsd: number | null;
}

type Sent = { readonly reply: unknown } | { readonly failure: AttemptFailure };
type Attempt<T> = { readonly answer: ServerAnswer<T> } | { readonly failure: AttemptFailure };

/**
 * Everything between a caller and a server that fails: adaptive concurrency, rate limits, budget, a timeout,
 * retries, circuit breaker, accounting. One for each server and key; the client libraries' own retries are off,
 * so each attempt is counted here.
 */
export class ServerCaller {
  readonly #server: ServerIdentity;
  readonly #options: ClientOptions;
  readonly #gate: ConcurrencyGate;
  readonly #rate: RateLimit;
  readonly #circuit: Circuit;
  readonly #spending: Spending;
  readonly #estimate = new TokenEstimate();
  readonly #jitter = new SeededRandom(0, "model-retry-jitter");
  #closed = false;

  #lastFailure: string | null = null;

  constructor(options: ClientOptions, server: ServerIdentity) {
    this.#options = options;
    this.#server = server;
    this.#gate = new ConcurrencyGate(options.concurrency);
    this.#rate = new RateLimit(options);
    this.#circuit = new Circuit(options.circuit, server.label);
    this.#spending = new Spending(options.prices, options.maxCostUsd);
  }

  /**
   * Asks until there is a valid reply. Throws MODEL_UNAVAILABLE after `retries` counted failures, or when this
   * request alone stays rate-limited for `giveUpAfterMs`; MODEL_CIRCUIT_OPEN when nothing succeeds for that long;
   * final errors of {@link classifyFailure} at once; INTERRUPTED.
   */
  async call<T>(task: ServerTask<T>, signal: AbortSignal): Promise<ServerAnswer<T>> {
    setMaxListeners(0, signal, task.sentSignal ?? signal);
    let counted = 0;
    let failingSinceMs: number | null = null;
    for (let retry = 0; ; retry += 1) {
      const attempt = await this.#attempt(task, retry > 0, signal);
      if ("answer" in attempt) return attempt.answer;
      const { failure } = attempt;
      if (failure.kind === "final") throw failure.error;
      if (this.#closed) throw interruption();
      if (this.#circuit.msUntilGivingUp() <= 0) throw this.#circuit.failure(failure.error);
      failingSinceMs ??= elapsedMs();
      if (failure.kind !== "busy") counted += 1;
      const failingMs = elapsedMs() - failingSinceMs;
      if (counted > this.#options.retries || failingMs >= this.#options.circuit.giveUpAfterMs) {
        throw this.#unavailable(retry + 1, failure);
      }
      await sleep(this.#delayMs(retry + 1, failure), signal);
    }
  }

  /** From now on nothing is sent: calls end with INTERRUPTED. */
  close(): void {
    this.#closed = true;
  }

  account(): ModelAccount {
    const account = this.#spending.account();
    return this.#lastFailure === null ? account : { ...account, lastFailure: this.#lastFailure };
  }

  async #attempt<T>(task: ServerTask<T>, isRetry: boolean, signal: AbortSignal): Promise<Attempt<T>> {
    throwIfInterrupted(signal);
    if (this.#closed) throw interruption();
    const slot = await this.#gate.acquire(signal);
    let outcome: SlotOutcome = "other";
    try {
      const admission = await this.#circuit.admit(signal);
      let report: CircuitReport = "unknown";
      try {
        const attempt = await this.#pay(task, isRetry, signal);
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
        admission.report(report);
      }
    } finally {
      slot.release(outcome);
    }
  }

  async #pay<T>(task: ServerTask<T>, isRetry: boolean, signal: AbortSignal): Promise<Attempt<T>> {
    const reserved = await this.#spending.reserve(task.promptBytes, task.maxTokens, signal);
    const estimated = this.#estimate.of(task.promptBytes, task.maxTokens);
    let sent: Sent | undefined;
    try {
      await this.#rate.take(estimated, signal);
      throwIfInterrupted(signal);
      this.#spending.countAttempt(isRetry);
      sent = await this.#send(task, task.sentSignal ?? signal);
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
      return { answer: { value: task.read(sent.reply), costMicroUsd } };
    } catch (thrown) {
      return { failure: classifyFailure(thrown, this.#server) };
    }
  }

  async #send<T>(task: ServerTask<T>, signal: AbortSignal): Promise<Sent> {
    const timeoutMs = this.#options.requestTimeoutMs;
    const controller = new AbortController();
    const stop = (): void => controller.abort();
    const timer = setTimeout(stop, timeoutMs);
    signal.addEventListener("abort", stop, { once: true });
    try {
      return { reply: await task.send(controller.signal) };
    } catch (thrown) {
      if (!controller.signal.aborted) return { failure: classifyFailure(thrown, this.#server) };
      return { failure: abortFailure(signal.aborted ? "stopped" : "too slow", timeoutMs, this.#server) };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }

  /** Also holds back all other callers when a busy server says until when. */
  #delayMs(retry: number, failure: AttemptFailure): number {
    const { retryDelayMs: firstMs, maxRetryDelayMs: longestMs } = this.#options;
    const leftMs = this.#circuit.msUntilGivingUp();
    const askedMs = failure.retryAfterMs;
    if (askedMs === null) return Math.min(leftMs, backoffMs(retry, { firstMs, longestMs }, this.#jitter));
    if (failure.kind === "busy") this.#rate.pause(Math.min(leftMs, askedMs));
    return Math.min(leftMs, askedMs + firstMs * this.#jitter.next());
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
