import { type Candidate, largestCluster, resultClusters } from "./result-clusters.ts";

/** The candidates of the paper's consensus, and the temperature that it samples them at. */
export const CONSENSUS_CANDIDATES = 16;
export const CONSENSUS_TEMPERATURE = 1.2;

/**
 * ReToolSQL's consensus: errors and empty results are dropped, the largest cluster of equal results wins, of two as
 * large the one that was seen first, and its first member in sample order speaks for it; the shorter SQL, then the
 * smaller text, where two share a place in the order. `null` where every candidate is dropped: no answer is left.
 *
 * @paper ReToolSQL, appendix B; that equal results are equal multisets of rows is our reading
 */
export function consensus(candidates: readonly Candidate[]): Candidate | null {
  const winner = largestCluster(resultClusters(candidates, { keepsEmpty: false }));
  const [first] = winner?.members ?? [];
  if (winner === undefined || first === undefined) return null;
  const tied = winner.members.filter(({ sampleIndex }) => sampleIndex === first.sampleIndex);
  return tied.reduce((best, other) => (isBefore(other, best) ? other : best));
}

function isBefore(left: Candidate, right: Candidate): boolean {
  const [leftSql, rightSql] = [left.sql ?? "", right.sql ?? ""];
  return leftSql.length === rightSql.length ? leftSql < rightSql : leftSql.length < rightSql.length;
}
