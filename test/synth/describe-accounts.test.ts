import { expect, it } from "vitest";
import { describeAccounts, shortNumber } from "../../synth/describe-accounts.ts";

const account = {
  requests: 600,
  retries: 0,
  promptTokens: 1_000_000,
  completionTokens: 50_000,
  costMicroUsd: 0,
};

it("sums requests and tokens, and tells retries and cost only where there are some", () => {
  expect(describeAccounts([account])).toBe("600 requests, 1.1M tokens");
  const paid = { ...account, retries: 3, costMicroUsd: 405_000 };
  expect(describeAccounts([account, paid])).toBe("1200 requests, 3 retries, 2.1M tokens, $0.41");
});

it("tells the failure that is being retried", () => {
  expect(describeAccounts([account, { ...account, lastFailure: "connection refused" }])).toBe(
    "1200 requests, 2.1M tokens, retrying: connection refused",
  );
});

it.each([
  [0, "0"],
  [999, "999"],
  [12_345, "12k"],
  [2_140_000, "2.1M"],
])("shortens %i to %s", (value, text) => {
  expect(shortNumber(value)).toBe(text);
});
