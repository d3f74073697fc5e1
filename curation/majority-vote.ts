import { type Candidate, largestCluster, resultClusters } from "./result-clusters.ts";

/**
 * The majority vote by execution result: the largest cluster of equal results wins, an empty result being one too, of
 * two as large the one that was seen first, and its first member in sample order speaks for it. Candidates that have no
 * result have no vote. Where none has one, the first candidate in sample order stays: a vote never loses an answer.
 * `null` of no candidates.
 *
 * @paper SQL-Trail, majority vote by execution; that empty results vote and that ties go to the first seen is our reading
 */
export function majorityVote(candidates: readonly Candidate[]): Candidate | null {
  const winner = largestCluster(resultClusters(candidates, { keepsEmpty: true }));
  if (winner !== undefined) return winner.members[0] ?? null;
  return candidates.reduce<Candidate | null>(
    (first, candidate) => (first === null || candidate.sampleIndex < first.sampleIndex ? candidate : first),
    null,
  );
}
