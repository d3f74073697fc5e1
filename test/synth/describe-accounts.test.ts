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

it("tells of the servers of a model that has several, and of many only those that are out", () => {
  const up = { name: "a:8000", requests: 602, open: 12, isUp: true };
  const idle = { name: "b:8000", requests: 40, open: 0, isUp: true };
  const out = { name: "c:8000", requests: 7, open: 1, isUp: false };
  expect(describeAccounts([{ ...account, endpoints: [up, idle, out] }])).toBe(
    "600 requests, 1.1M tokens, 2 of 3 servers up (a:8000 602, 12 open; b:8000 40; c:8000 7, out)",
  );
  expect(describeAccounts([{ ...account, endpoints: [up, up, up, up, up] }])).toBe(
    "600 requests, 1.1M tokens, 5 of 5 servers up",
  );
  expect(
    describeAccounts([
      { ...account, endpoints: [up, up, up] },
      { ...account, endpoints: [up, out] },
    ]),
  ).toBe("1200 requests, 2.1M tokens, 4 of 5 servers up (c:8000 7, out)");
});

it.each([
  [0, "0"],
  [999, "999"],
  [12_345, "12k"],
  [2_140_000, "2.1M"],
])("shortens %i to %s", (value, text) => {
  expect(shortNumber(value)).toBe(text);
});
