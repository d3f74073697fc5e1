import { GradusError } from "../../core/errors.ts";
import type { ModelAccount } from "../../core/model.ts";
import type { ModelPrices } from "./client-options.ts";
import { WaitQueue } from "./interruption.ts";

const MICRO_USD = 1_000_000;

/** Tokens as a server counted them; `null` when it did not say. */
export interface CountedTokens {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

/**
 * Counts requests, tokens and money, and keeps money under a limit. Before a request is sent the most it can
 * cost is set aside: a prompt token for each byte of the request, which no byte-level tokenizer exceeds, and
 * `maxTokens` of completion. A request that fits only when open ones turn out cheaper waits for them. Replies
 * without a token count are charged in full; attempts that brought no reply are not charged.
 */
export class Spending {
  readonly #prices: ModelPrices | null;
  readonly #limitMicroUsd: number;
  readonly #settled = new WaitQueue();
  #requests = 0;
  #retries = 0;
  #promptTokens = 0;
  #completionTokens = 0;
  #spentMicroUsd = 0;
  #reservedMicroUsd = 0;

  constructor(prices: ModelPrices | null, maxCostUsd: number | null) {
    this.#prices = prices;
    this.#limitMicroUsd = maxCostUsd === null ? Number.POSITIVE_INFINITY : Math.floor(maxCostUsd * MICRO_USD);
  }

  /** Counts one attempt. */
  countAttempt(isRetry: boolean): void {
    if (isRetry) this.#retries += 1;
    else this.#requests += 1;
  }

  /** Sets money aside and returns how much. Throws MODEL_BUDGET_SPENT when the rest cannot pay for it, INTERRUPTED. */
  async reserve(promptBytes: number, maxTokens: number, signal: AbortSignal): Promise<number> {
    const amount = Math.ceil(this.#price(promptBytes, maxTokens));
    while (this.#spentMicroUsd + this.#reservedMicroUsd + amount > this.#limitMicroUsd) {
      if (this.#spentMicroUsd + amount > this.#limitMicroUsd) throw this.#budgetSpent(amount);
      await this.#settled.wait(signal);
    }
    this.#reservedMicroUsd += amount;
    return amount;
  }

  /**
   * Replaces a reservation by what was used; `null` for an attempt that brought no reply. Returns the cost in
   * micro-dollars: `null` without prices or without a full count.
   */
  settle(reservedMicroUsd: number, counted: CountedTokens | null): number | null {
    this.#reservedMicroUsd -= reservedMicroUsd;
    let cost: number | null = null;
    if (counted !== null) {
      const { promptTokens, completionTokens } = counted;
      this.#promptTokens += promptTokens ?? 0;
      this.#completionTokens += completionTokens ?? 0;
      if (this.#prices !== null && promptTokens !== null && completionTokens !== null) {
        cost = Math.round(this.#price(promptTokens, completionTokens));
      }
      this.#spentMicroUsd += cost ?? reservedMicroUsd;
    }
    this.#settled.wakeAll();
    return cost;
  }

  account(): ModelAccount {
    return {
      requests: this.#requests,
      retries: this.#retries,
      promptTokens: this.#promptTokens,
      completionTokens: this.#completionTokens,
      costMicroUsd: this.#spentMicroUsd,
    };
  }

  #price(promptTokens: number, completionTokens: number): number {
    if (this.#prices === null) return 0;
    return (
      promptTokens * this.#prices.promptUsdPerMillion +
      completionTokens * this.#prices.completionUsdPerMillion
    );
  }

  #budgetSpent(amount: number): GradusError {
    return new GradusError(
      "MODEL_BUDGET_SPENT",
      `cannot send a request that may cost ${dollars(amount)}: ${dollars(this.#spentMicroUsd)} of ${dollars(this.#limitMicroUsd)} are spent`,
      { hint: "raise maxCostUsd of this model and run the same command again: what was paid for is kept" },
    );
  }
}

function dollars(microUsd: number): string {
  return `$${(microUsd / MICRO_USD).toFixed(6)}`;
}
