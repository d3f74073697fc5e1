import { AggregateRow } from "../curation/aggregate.ts";
import type { ArtifactStore } from "../io/artifact-store.ts";
import type { RunResult } from "./runner.ts";

/** One figure of the accuracy table. */
export type AccuracyRow = AggregateRow;

/** The accuracy table that a step of a run made; empty when the run has not come so far, or has no such step. */
export async function accuracyOf(
  result: RunResult,
  store: ArtifactStore,
  step = "accuracy",
): Promise<AccuracyRow[]> {
  const artifact = result.artifacts.get(step);
  if (artifact === undefined) return [];
  const rows: AccuracyRow[] = [];
  for await (const row of store.rows(artifact, "table", AggregateRow)) rows.push(row);
  return rows;
}
