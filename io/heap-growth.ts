import { setFlagsFromString } from "node:v8";

/** Growth of the old generation between two collections, percent of what is alive. */
const GROWTH_PERCENT = 60;

/**
 * Has this process collect garbage before its heap is far larger than what is alive in it, for processes that work
 * through a stream for long; without, V8 lets it grow to several times as much.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
