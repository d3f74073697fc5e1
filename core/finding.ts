import { z } from "zod";

/** `error`: the annotation is wrong where the finding is right; `warning`: it may be; `note`: worth knowing. */
export const FindingSeverity = z.enum(["error", "warning", "note"]);
export type FindingSeverity = z.infer<typeof FindingSeverity>;

/** What could be put in place of a field of the example, where the finding knows. */
export const FindingSuggestion = z.strictObject({
  field: z.enum(["gold", "question", "evidence"]),
  after: z.string(),
});
export type FindingSuggestion = z.infer<typeof FindingSuggestion>;

/** One doubt about the annotation of an example, with what supports it. Plain JSON. */
export const Finding = z.strictObject({
  exampleId: z.string().length(32),
  /** The dataset's name. */
  dataset: z.string().min(1),
  split: z.string().min(1),
  /** The dataset's own name for the row. */
  sourceId: z.string().min(1),
  /** The id of the check that found it. */
  check: z.string().min(1),
  /** Which of the check's kinds it is, in snake_case. */
  kind: z.string().min(1),
  severity: FindingSeverity,
  /** The share of such findings that are expected to be right, in [0, 1]. */
  confidence: z.number().min(0).max(1),
  /** One sentence for a person. */
  message: z.string().min(1),
  /** What supports it, by name. */
  evidence: z.record(z.string(), z.json()),
  suggestion: FindingSuggestion.nullable(),
});
export type Finding = z.infer<typeof Finding>;
