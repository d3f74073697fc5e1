import type { Execution } from "../core/execution.ts";

/** A candidate answer to a question, as far as votes look at it. */
export interface Candidate {
  readonly sampleIndex: number;
  /** `null` for no answer. */
  readonly sql: string | null;
  /** `null` where nothing was run. */
  readonly execution: Execution | null;
}

/** Candidates whose results have the same rows as a multiset, in sample order. */
export interface ResultCluster {
  /** What the results share: the digest of their rows. */
  readonly key: string;
  readonly members: readonly Candidate[];
}

/**
 * Candidates with a result, by result, in sample order; the clusters in the order of their first members. Rows in
 * another order are the same result: what no ORDER BY settles is no disagreement. A candidate without a result (no
 * answer, an error, a limit) is in no cluster; an empty result is one where `keepsEmpty`.
 */
export function resultClusters(
  candidates: readonly Candidate[],
  { keepsEmpty }: { readonly keepsEmpty: boolean },
): ResultCluster[] {
  const inOrder = [...candidates].sort((left, right) => left.sampleIndex - right.sampleIndex);
  const clusters = new Map<string, Candidate[]>();
  for (const candidate of inOrder) {
    const { execution, sql } = candidate;
    const hasResult = execution?.status === "ok" || (keepsEmpty && execution?.status === "empty");
    if (execution === null || sql === null || !hasResult) continue;
    const key = `${execution.columns} ${execution.digest}`;
    const members = clusters.get(key);
    if (members === undefined) clusters.set(key, [candidate]);
    else members.push(candidate);
  }
  return [...clusters].map(([key, members]) => ({ key, members }));
}

/** The largest cluster; of several the one whose first member comes first. `undefined` of none. */
export function largestCluster(clusters: readonly ResultCluster[]): ResultCluster | undefined {
  let best: ResultCluster | undefined;
  for (const cluster of clusters) {
    if (best === undefined || cluster.members.length > best.members.length) best = cluster;
  }
  return best;
}
