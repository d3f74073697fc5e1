import * as fc from "fast-check";
import type { Execution, ExecutionStatus } from "../../core/execution.ts";
import type { Candidate } from "../../curation/result-clusters.ts";

/** A run that ended so; `result` names its rows. */
export function ended(status: ExecutionStatus, result = ""): Execution {
  const ran = status === "ok" || status === "empty";
  return {
    status,
    message: ran ? "" : status,
    rows: status === "ok" ? 1 : 0,
    columns: ran ? 1 : 0,
    digest: ran ? result : "",
    orderedDigest: ran ? result : "",
  };
}

/** A candidate with that result; `null` for no answer. */
export function candidate(sampleIndex: number, execution: Execution | null, sql = "SELECT 1"): Candidate {
  return { sampleIndex, sql: execution === null ? null : sql, execution };
}

/** Up to a dozen candidates, numbered in order, with few different results, failures and missing answers among them. */
export const anyCandidates: fc.Arbitrary<Candidate[]> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom("a", "b", "c").map((name) => ended("ok", name)) },
      { weight: 2, arbitrary: fc.constant(ended("empty", "none")) },
      {
        weight: 2,
        arbitrary: fc
          .constantFrom<ExecutionStatus>("error", "timeout", "denied")
          .map((status) => ended(status)),
      },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    { maxLength: 12 },
  )
  .map((executions) => executions.map((execution, index) => candidate(index, execution, `SELECT ${index}`)));

/** The same candidates in another order. */
export function shuffled(candidates: readonly Candidate[]): fc.Arbitrary<Candidate[]> {
  return fc.shuffledSubarray([...candidates], { minLength: candidates.length, maxLength: candidates.length });
}
