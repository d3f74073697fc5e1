import type { AccuracyRow } from "../../pipelines/accuracy.ts";

/** A row of the accuracy table: half of 200 questions right, unless told otherwise. */
export function accuracyRow(parts: Partial<AccuracyRow>): AccuracyRow {
  return {
    group: "all",
    system: "student#0",
    model: { name: "student", revision: "1" },
    setting: "single-turn",
    round: 0,
    sampleIndex: 0,
    metric: "bird-ex",
    n: 200,
    mean: 0.5,
    standardError: 0.035,
    low: 0.4314,
    high: 0.5686,
    unscored: 0,
    unexecutable: 0,
    missing: 0,
    ...parts,
  };
}
