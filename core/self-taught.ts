import { z } from "zod";
import { Vector } from "./embedder.ts";

/** A right trajectory that may teach. */
export const TaughtCandidate = z.strictObject({
  trajectoryId: z.string(),
  exampleId: z.string(),
  split: z.enum(["train", "validation"]),
  /** `easy`: short ones are drawn; `hard`: representatives of clusters are taken. */
  class: z.enum(["easy", "hard"]),
  /** Whether none of the question's right trajectories fits its class, so that the nearest stand in. */
  fallback: z.boolean(),
  interactions: z.int().nonnegative(),
  /** Trajectories to keep of the question. */
  limit: z.int().positive(),
});
export type TaughtCandidate = z.infer<typeof TaughtCandidate>;

/** A question as the reject step saw it. */
export const TaughtQuestion = z.strictObject({
  exampleId: z.string(),
  /** `easy`, `hard`, with `_fallback` where none fits the class, or `open` where no trajectory is right. */
  reason: z.string(),
  /** Scored samples that measure competence, and those right by every metric. */
  n: z.int().nonnegative(),
  c: z.int().nonnegative(),
  /** Right trajectories of every kind, teachers' included. */
  right: z.int().nonnegative(),
});
export type TaughtQuestion = z.infer<typeof TaughtQuestion>;

/** A candidate as a point; `vector` is `null` where the question has no more candidates than it may keep. */
export const EmbeddedTrajectory = z.strictObject({
  trajectoryId: z.string(),
  exampleId: z.string(),
  /** Digest of its actions, see `actionsDigest`. */
  actions: z.string(),
  /** Length of what was sampled. */
  length: z.int().nonnegative(),
  vector: Vector.nullable(),
});
export type EmbeddedTrajectory = z.infer<typeof EmbeddedTrajectory>;

/** A candidate with its cluster. */
export const ClusteredTrajectory = EmbeddedTrajectory.omit({ vector: true }).extend({
  cluster: z.int().nonnegative(),
  /** Squared distance from the centre of its cluster, rounded to nine digits after the point. */
  distance: z.number().nonnegative(),
});
export type ClusteredTrajectory = z.infer<typeof ClusteredTrajectory>;
