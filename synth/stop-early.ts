import type { StopRule } from "../core/rows.ts";

/** What one sample says: right, wrong, or nothing (it has no score). */
export type SampleSays = "right" | "wrong" | "nothing";

/** A rule that ends sampling early. */
export type EarlyStop = Exclude<StopRule, "complete">;

/**
 * The length of the first prefix, in index order, that settles the rule's question; `undefined` while none
 * does. A function of the samples' order by index alone, whatever order they arrive in.
 */
export function settledAfter(says: readonly SampleSays[], rule: EarlyStop): number | undefined {
  let right = false;
  let wrong = false;
  for (const [index, said] of says.entries()) {
    right ||= said === "right";
    wrong ||= said === "wrong";
    const isSettled = rule === "first_right" ? right : rule === "first_wrong" ? wrong : right && wrong;
    if (isSettled) return index + 1;
  }
  return undefined;
}
