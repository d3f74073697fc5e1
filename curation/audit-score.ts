import type { Votes } from "../core/audit.ts";
import type { Finding } from "../core/finding.ts";

/** Checks whose confidence does not shrink with the samples that agree with the gold: those are its peers. */
const BESIDE_VOTES: ReadonlySet<string> = new Set(["consensus", "llm-judge"]);

/** The most that agreeing samples take from the doubts of checks. */
const MOST_DAMPING = 0.9;

/**
 * How likely an annotation is wrong by its findings: one less the product of what each leaves, with the best finding of
 * each check, notes left out. What checks find counts the less the more samples agree with the gold.
 */
export function auditScore(findings: readonly Finding[], votes: Votes | null): number {
  const agreed = votes === null || votes.ran < 3 ? 0 : votes.agree / votes.ran;
  const damping = 1 - MOST_DAMPING * agreed;
  const best = new Map<string, number>();
  for (const { check, severity, confidence } of findings) {
    if (severity === "note") continue;
    best.set(check, Math.max(best.get(check) ?? 0, confidence));
  }
  let left = 1;
  for (const [check, confidence] of best) left *= 1 - confidence * (BESIDE_VOTES.has(check) ? 1 : damping);
  return 1 - left;
}
