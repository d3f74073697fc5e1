import { describe, expect, it } from "vitest";
import { Spending } from "../../../io/models/spending.ts";

const never = new AbortController().signal;
const prices = { promptUsdPerMillion: 3, completionUsdPerMillion: 15 };

describe("Spending", () => {
  it("adds up requests, retries, tokens and whole micro-dollars", async () => {
    const spending = new Spending(prices, null);
    spending.countAttempt(false);
    spending.countAttempt(true);
    const reserved = await spending.reserve(1000, 100, never);
    expect(reserved).toBe(4500);
    expect(spending.settle(reserved, { promptTokens: 200, completionTokens: 10 })).toBe(750);
    expect(spending.account()).toEqual({
      requests: 1,
      retries: 1,
      promptTokens: 200,
      completionTokens: 10,
      costMicroUsd: 750,
    });
  });

  it("charges a reply without a count in full, and an attempt without a reply nothing", async () => {
    const spending = new Spending(prices, null);
    const first = await spending.reserve(1000, 100, never);
    expect(spending.settle(first, { promptTokens: null, completionTokens: null })).toBeNull();
    const second = await spending.reserve(1000, 100, never);
    expect(spending.settle(second, null)).toBeNull();
    expect(spending.account().costMicroUsd).toBe(4500);
  });

  it("knows no cost without prices", async () => {
    const spending = new Spending(null, null);
    const reserved = await spending.reserve(1000, 100, never);
    expect(spending.settle(reserved, { promptTokens: 200, completionTokens: 10 })).toBeNull();
    expect(spending.account().costMicroUsd).toBe(0);
  });

  it("refuses what the rest cannot pay, but waits for open requests that may turn out cheaper", async () => {
    const spending = new Spending(prices, 0.005);
    const first = await spending.reserve(1000, 100, never);
    let second: number | undefined;
    const waiting = spending.reserve(100, 100, never).then((amount) => {
      second = amount;
    });
    await Promise.resolve();
    expect(second).toBeUndefined();
    spending.settle(first, { promptTokens: 200, completionTokens: 10 });
    await waiting;
    expect(second).toBe(1800);
    await expect(spending.reserve(1000, 100, never)).rejects.toMatchObject({
      code: "MODEL_BUDGET_SPENT",
      message: "cannot send a request that may cost $0.004500: $0.000750 of $0.005000 are spent",
    });
  });
});
