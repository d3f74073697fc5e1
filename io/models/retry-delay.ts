import type { SeededRandom } from "../../core/random.ts";

/** Headers of a reply, names in lower case. */
export interface ReplyHeaders {
  get(name: string): string | null | undefined;
}

/**
 * How long a server asks to wait, in milliseconds: `retry-after-ms`, else `retry-after` in seconds or as an HTTP
 * date. A date is taken relative to the server's own `date`, else to `timeOfDay` (ISO 8601). `null` when it does
 * not ask, or not legibly.
 */
export function retryAfterMs(headers: ReplyHeaders, timeOfDay: string): number | null {
  const inMs = decimal(headers.get("retry-after-ms"));
  if (inMs !== null) return inMs;
  const header = headers.get("retry-after");
  const seconds = decimal(header);
  if (seconds !== null) return seconds * 1000;
  const date = Date.parse(header ?? "");
  if (Number.isNaN(date)) return null;
  const serverNow = Date.parse(headers.get("date") ?? "");
  return Math.max(0, date - (Number.isNaN(serverNow) ? Date.parse(timeOfDay) : serverNow));
}

function decimal(text: string | null | undefined): number | null {
  return text !== null && text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : null;
}

/** The delay before retry number `retry` (from 1): doubling from `firstMs` up to `longestMs`, its second half at random. */
export function backoffMs(
  retry: number,
  limits: { readonly firstMs: number; readonly longestMs: number },
  random: SeededRandom,
): number {
  const full = Math.min(limits.longestMs, limits.firstMs * 2 ** (retry - 1));
  return full / 2 + (full / 2) * random.next();
}
