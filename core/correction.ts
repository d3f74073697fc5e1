import { z } from "zod";

/**
 * A change to an example, kept beside the data and applied on load; the data is never edited in place.
 * `before` must equal what the example holds, else the correction is stale and refused.
 */
export const Correction = z.strictObject({
  dataset: z.string().min(1),
  split: z.string().min(1),
  sourceId: z.string().min(1),
  field: z.enum(["gold", "question", "evidence"]),
  before: z.string().nullable(),
  after: z.string().nullable(),
  kind: z.string().min(1),
  reason: z.string(),
  author: z.string().min(1),
  /** ISO 8601, UTC. */
  time: z.string(),
});
export type Correction = z.infer<typeof Correction>;
