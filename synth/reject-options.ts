import { z } from "zod";

/** Which questions are easy, and which of their right rollouts teach. */
export const EasyOptions = z.strictObject({
  labels: z.array(z.string()).default(["easy"]).describe("hardness labels that make a question easy"),
  passRate: z
    .number()
    .gt(0)
    .max(1)
    .nullable()
    .default(1)
    .describe(
      "share of right samples from which a question is easy whatever its label; null lets the label decide",
    ),
  minimumN: z.int().positive().default(20).describe("scored samples that this share needs"),
  maxInteractions: z.int().nonnegative().default(2).describe("interactions that a short rollout has at most"),
  limit: z.int().positive().default(2).describe("rollouts to keep of an easy question"),
});

/** Which right rollouts of the other questions teach. */
export const HardOptions = z.strictObject({
  minInteractions: z.int().nonnegative().default(2).describe("interactions that a long rollout has at least"),
  limit: z.int().positive().default(3).describe("representatives to keep of a hard question"),
});

/** Options of the reject stage; the defaults are the paper's. @paper MTSQL-R1, section 3.2.2, S2 */
export const RejectOptions = z.strictObject({
  /** A rollout is right when each of these is 1. */
  metrics: z.array(z.string()).min(1).default(["spider-ex", "spider-em"]),
  easy: EasyOptions.prefault({}),
  hard: HardOptions.prefault({}),
  /** Whether traces of scaffolds that were shown gold are held against {@link findLeaks}. */
  checksTraces: z.boolean().default(true),
});
export type RejectOptions = z.infer<typeof RejectOptions>;
