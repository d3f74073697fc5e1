import { z } from "zod";
import { ProfileOptions } from "../core/database-profiler.ts";
import { ModelName } from "../core/trajectory.ts";

/** Options of the stage that describes databases: who writes, how it is asked, and what is written anew. */
export const DescribeOptions = z.strictObject({
  /** The role whose endpoint is asked; the endpoint itself is not part of a description's identity. */
  role: z.string(),
  model: ModelName,
  /** Marks the trajectories of a simulated model. */
  simulated: z.boolean(),
  sampling: z.strictObject({
    temperature: z.number().min(0),
    topP: z.number().gt(0).max(1),
    topK: z.int(),
    maxTokens: z.int().positive(),
    extra: z.record(z.string(), z.json()),
  }),
  /** Bounds of the profiles that the model is shown. */
  profile: ProfileOptions.prefault({}),
  /** Columns of a table in one request. */
  columnsPerRequest: z.int().positive().default(40),
  /** Whether what the dataset says of a table or column gives way. */
  replaceExisting: z.boolean().default(false),
});
export type DescribeOptions = z.infer<typeof DescribeOptions>;
