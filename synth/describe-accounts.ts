import type { EndpointAccount, ModelAccount } from "../core/model.ts";

const MICRO_USD = 1_000_000;

/** With more servers than this only those that are out are named. */
const MOST_NAMED = 4;

/** What has been asked and paid so far, for a person: `1204 requests, 3 retries, 2.1M tokens, $0.41`, the servers
 * where a model has several, and the failure that is being retried. */
export function describeAccounts(accounts: readonly ModelAccount[]): string {
  const sum = (of: (account: ModelAccount) => number): number =>
    accounts.reduce((total, account) => total + of(account), 0);
  const retries = sum((account) => account.retries);
  const tokens = sum((account) => account.promptTokens + account.completionTokens);
  const cost = sum((account) => account.costMicroUsd);
  const parts = [`${sum((account) => account.requests)} requests`];
  if (retries > 0) parts.push(`${retries} retries`);
  parts.push(`${shortNumber(tokens)} tokens`);
  if (cost > 0) parts.push(`$${(cost / MICRO_USD).toFixed(2)}`);
  const endpoints = accounts.flatMap((account) => account.endpoints ?? []);
  if (endpoints.length > 0) parts.push(describeEndpoints(endpoints));
  const failure = accounts.find(({ lastFailure }) => lastFailure !== undefined)?.lastFailure;
  if (failure !== undefined) parts.push(`retrying: ${failure}`);
  return parts.join(", ");
}

/** `1 of 2 servers up (127.0.0.1:8000 602, 12 open; 127.0.0.1:8001 40, out)`. */
function describeEndpoints(endpoints: readonly EndpointAccount[]): string {
  const up = endpoints.filter(({ isUp }) => isUp).length;
  const named = endpoints.filter(({ isUp }) => !isUp || endpoints.length <= MOST_NAMED);
  const figures = named.map(({ name, requests, open, isUp }) =>
    isUp ? `${name} ${requests}${open === 0 ? "" : `, ${open} open`}` : `${name} ${requests}, out`,
  );
  const shown = figures.length === 0 ? "" : ` (${figures.join("; ")})`;
  return `${up} of ${endpoints.length} servers up${shown}`;
}

/** `950`, `12k`, `2.1M`. */
export function shortNumber(value: number): string {
  if (value < 1_000) return String(value);
  return value < 1_000_000 ? `${Math.round(value / 1_000)}k` : `${(value / 1_000_000).toFixed(1)}M`;
}
