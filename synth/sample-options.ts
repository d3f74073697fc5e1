import { z } from "zod";
import { ProfileOptions } from "../core/database-profiler.ts";
import { ModelName } from "../core/trajectory.ts";

const Limits = z.strictObject({
  cpuMs: z.int().positive(),
  maxRows: z.int().positive(),
  maxBytes: z.int().positive(),
});

/** Samples to take of every example: who answers, under which protocol, how many. */
export const RolloutOptions = z.strictObject({
  /** The role whose endpoint is asked; the endpoint itself is not part of a sample's identity. */
  role: z.string(),
  model: ModelName,
  /** Marks the trajectories of a simulated model. */
  simulated: z.boolean(),
  scaffold: z.string(),
  options: z.record(z.string(), z.json()),
  samples: z.int().positive(),
  sampling: z.strictObject({
    temperature: z.number().min(0),
    topP: z.number().gt(0).max(1),
    topK: z.int(),
    maxTokens: z.int().positive(),
    extra: z.record(z.string(), z.json()),
  }),
  maxCompletionTokens: z.int().positive().nullable(),
  stopEarly: z.enum(["first_wrong", "first_right", "mixed"]).nullable(),
  lookahead: z.int().positive(),
});
export type RolloutOptions = z.infer<typeof RolloutOptions>;

/** Options of the sample stage. */
export const SampleOptions = z.strictObject({
  rollouts: z.array(RolloutOptions).min(1),
  /** Id of the schema dialect. */
  dialect: z.string(),
  /** Whether values that a question seems to ask for are looked up and shown in the schema text. */
  retrievesValues: z.boolean().default(false),
  /** Bounds of database profiles, for tools and texts that show one. */
  profile: ProfileOptions.prefault({}),
  round: z.int().nonnegative(),
  /** How samples are judged where sampling may end early. */
  judge: z.strictObject({ metric: z.string(), goldLimits: Limits, predictionLimits: Limits }),
  /** Worker `index` of `count`, from 1: a stable part of the examples; `null` for all. */
  part: z.strictObject({ index: z.int().positive(), count: z.int().positive() }).nullable(),
});
export type SampleOptions = z.infer<typeof SampleOptions>;
