import { z } from "zod";
import { Execution } from "./execution.ts";
import { LinkedTable, Message, ModelName } from "./trajectory.ts";
import { LabelVerdict, Verdict } from "./verdict.ts";

/** What running an example's golds said: one execution per accepted gold, and its labels. */
export const GoldRow = z.strictObject({
  exampleId: z.string(),
  databaseId: z.string(),
  /** `null` when the database cannot be read; then `reason` says why. */
  executions: z.array(Execution).nullable(),
  /** `ok`, or why the example cannot be judged: `database_missing`, `gold_error`, `gold_timeout`, … */
  reason: z.string(),
  message: z.string(),
  labels: z.record(z.string(), LabelVerdict),
});
export type GoldRow = z.infer<typeof GoldRow>;

/**
 * When sampling of an example ended. `complete`: every planned sample is there; the others say which question
 * the samples settled: `first_wrong` (not always right), `first_right` (not never right), `mixed` (both).
 */
export const StopRule = z.enum(["complete", "first_wrong", "first_right", "mixed"]);
export type StopRule = z.infer<typeof StopRule>;

/**
 * The samples of an example under a model and a setting: how many were planned and taken, and why it ended.
 * Samples without such a row are complete.
 */
export const SampleGroup = z.strictObject({
  exampleId: z.string(),
  model: ModelName,
  setting: z.string(),
  round: z.int().nonnegative(),
  planned: z.int().nonnegative(),
  sampled: z.int().nonnegative(),
  stopRule: StopRule,
});
export type SampleGroup = z.infer<typeof SampleGroup>;

/** One sample judged by every metric. */
export const ScoredSample = z.strictObject({
  trajectoryId: z.string(),
  exampleId: z.string(),
  sampleIndex: z.int().nonnegative(),
  round: z.int().nonnegative(),
  model: ModelName,
  /** Scaffold id: the setting of the pass-rate table. */
  setting: z.string(),
  simulated: z.boolean(),
  /** `null` when there was nothing to run. */
  execution: Execution.nullable(),
  verdicts: z.record(z.string(), Verdict),
});
export type ScoredSample = z.infer<typeof ScoredSample>;

/** One cell of the pass-rate table: an example under a model and a setting, by one metric. */
export const PassRate = z.strictObject({
  exampleId: z.string(),
  model: ModelName,
  setting: z.string(),
  metric: z.string(),
  /** Scored samples, and those with score 1. */
  n: z.int().nonnegative(),
  c: z.int().nonnegative(),
  /** Samples without a number, by reason. */
  unscored: z.record(z.string(), z.int().nonnegative()),
  /** Other than `complete`: the group has that decision and no rate. */
  stopRule: StopRule,
  simulated: z.boolean(),
});
export type PassRate = z.infer<typeof PassRate>;

/** The messages that open a rollout of an example. */
export const PromptRow = z.strictObject({
  exampleId: z.string(),
  /** SHA-256 of the schema text inside. */
  schemaTextDigest: z.string(),
  messages: z.array(Message).min(1),
  /** For scaffolds that link schemas: what gold reads of the database, and both schema texts. */
  linking: z
    .strictObject({ goldLinks: z.array(LinkedTable), full: z.string(), oracle: z.string() })
    .optional(),
});
export type PromptRow = z.infer<typeof PromptRow>;

/** An example that left the funnel, and why. */
export const DroppedExample = z.strictObject({
  exampleId: z.string(),
  sourceId: z.string(),
  databaseId: z.string(),
  /** snake_case bucket. */
  reason: z.string(),
  message: z.string(),
});
export type DroppedExample = z.infer<typeof DroppedExample>;

/** An example that stayed, with the figures that kept it. */
export const KeptExample = z.strictObject({
  exampleId: z.string(),
  sourceId: z.string(),
  databaseId: z.string(),
  position: z.int().nonnegative(),
  hardness: z.string().nullable(),
  n: z.int().nonnegative(),
  c: z.int().nonnegative(),
  /** Whether n and c stand for all planned samples; where sampling stopped early they are no pass rate. */
  complete: z.boolean(),
  simulated: z.boolean(),
});
export type KeptExample = z.infer<typeof KeptExample>;

/** A kept example with its split. */
export const SplitExample = KeptExample.extend({ split: z.enum(["train", "validation"]) });
export type SplitExample = z.infer<typeof SplitExample>;

/** A split example with its place in the curriculum. */
export const OrderedExample = SplitExample.extend({
  level: z.int().nonnegative(),
  rank: z.int().nonnegative(),
});
export type OrderedExample = z.infer<typeof OrderedExample>;

/** A trajectory chosen for imitation, in the order of the set. */
export const SelectedTrajectory = z.strictObject({
  trajectoryId: z.string(),
  exampleId: z.string(),
  split: z.enum(["train", "validation"]),
  reason: z.string(),
});
export type SelectedTrajectory = z.infer<typeof SelectedTrajectory>;

/** A right trajectory that was not chosen, or a wrong one, and why. */
export const PassedOverTrajectory = z.strictObject({
  trajectoryId: z.string(),
  exampleId: z.string(),
  reason: z.string(),
});
export type PassedOverTrajectory = z.infer<typeof PassedOverTrajectory>;

/** A shard file as the export stage wrote it. */
export const ShardFile = z.strictObject({
  exporter: z.string(),
  split: z.enum(["train", "validation"]),
  path: z.string(),
  rows: z.int().nonnegative(),
  /** Rows that it was made from, where that is another number. */
  sourceRows: z.int().nonnegative().optional(),
  bytes: z.int().nonnegative(),
  sha256: z.string().length(64),
});
export type ShardFile = z.infer<typeof ShardFile>;
